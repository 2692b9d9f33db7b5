/** The calls of ranks: their meetings, the work for all ranks, and the activity of each. */
@NullMarked
package dev.tutti.host.rank;

import org.jspecify.annotations.NullMarked;
