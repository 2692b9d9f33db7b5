/** The semantics of each operation: the inputs that make up every piece of its result. */
@NullMarked
package dev.tutti.verifier.semantics;

import org.jspecify.annotations.NullMarked;
