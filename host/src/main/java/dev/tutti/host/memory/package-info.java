/** Native memory that all ranks can reach. */
@NullMarked
package dev.tutti.host.memory;

import org.jspecify.annotations.NullMarked;
