/** Judges plans by running them: on real data (rule VAL), and with injected faults (rule FLT). */
@NullMarked
package dev.tutti.verifier.dynamic;

import org.jspecify.annotations.NullMarked;
