/** The order that a plan's notifies enforce, and the accesses that it leaves unordered. */
@NullMarked
package dev.tutti.verifier.order;

import org.jspecify.annotations.NullMarked;
