/** Native memory that all ranks can reach. */
@NullMarked
package dev.tutti.engine.memory;

import org.jspecify.annotations.NullMarked;
