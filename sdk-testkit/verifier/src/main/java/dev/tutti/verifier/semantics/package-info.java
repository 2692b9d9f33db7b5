/** What each operation means: which inputs every piece of its result is made of. */
@NullMarked
package dev.tutti.verifier.semantics;

import org.jspecify.annotations.NullMarked;
