/**
 * Compares the plans of this process with those of other processes, in which everything differs
 * that a plan must not depend on.
 */
@NullMarked
package dev.tutti.verifier.purity;

import org.jspecify.annotations.NullMarked;
