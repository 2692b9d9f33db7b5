/**
 * The calls of ranks: their meetings, the agreements on operations, and the activity of each rank.
 */
@NullMarked
package dev.tutti.host.rank;

import org.jspecify.annotations.NullMarked;
