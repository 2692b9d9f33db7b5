/**
 * Asks executors for their plans under limits, and checks rules PUR-1, PUR-2 and CAP-1 to CAP-4.
 */
@NullMarked
package dev.tutti.verifier.planning;

import org.jspecify.annotations.NullMarked;
