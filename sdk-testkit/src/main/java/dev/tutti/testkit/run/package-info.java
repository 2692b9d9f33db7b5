/** Runs of plans on real memory. */
@NullMarked
package dev.tutti.testkit.run;

import org.jspecify.annotations.NullMarked;
