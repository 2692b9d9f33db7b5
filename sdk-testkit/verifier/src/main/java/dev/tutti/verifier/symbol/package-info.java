/** What a plan computes, by symbols: which inputs every output element is made of, and how. */
@NullMarked
package dev.tutti.verifier.symbol;

import org.jspecify.annotations.NullMarked;
