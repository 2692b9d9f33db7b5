/** Operations of ranks that enter and leave on their own, each in its own order. */
@NullMarked
package dev.tutti.engine.queue;

import org.jspecify.annotations.NullMarked;
