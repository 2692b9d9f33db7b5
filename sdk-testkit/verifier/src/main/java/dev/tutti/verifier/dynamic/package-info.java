/** Judges plans by running them: on real data (rule VAL), and while things go wrong (rule FLT). */
@NullMarked
package dev.tutti.verifier.dynamic;

import org.jspecify.annotations.NullMarked;
