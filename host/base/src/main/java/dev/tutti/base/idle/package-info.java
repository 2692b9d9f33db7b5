/** The waits of threads: their clock, and what they do while they wait. */
@NullMarked
package dev.tutti.base.idle;

import org.jspecify.annotations.NullMarked;
