/**
 * The symbolic execution of a plan: it shows which inputs make up every output element, and how.
 */
@NullMarked
package dev.tutti.verifier.symbol;

import org.jspecify.annotations.NullMarked;
