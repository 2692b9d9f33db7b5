/** Operations of ranks that enter and leave independently, each in its own order. */
@NullMarked
package dev.tutti.engine.queue;

import org.jspecify.annotations.NullMarked;
