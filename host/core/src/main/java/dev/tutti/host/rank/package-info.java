/**
 * The calls of ranks: where they meet, what is done for all of them, and what each of them is
 * doing.
 */
@NullMarked
package dev.tutti.host.rank;

import org.jspecify.annotations.NullMarked;
