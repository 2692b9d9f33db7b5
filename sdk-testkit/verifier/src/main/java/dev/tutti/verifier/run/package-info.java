/** Runs of plans on real memory. */
@NullMarked
package dev.tutti.verifier.run;

import org.jspecify.annotations.NullMarked;
