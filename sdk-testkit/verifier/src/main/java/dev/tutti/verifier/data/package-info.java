/** Test data, and expected results that are computed independently of any plan. */
@NullMarked
package dev.tutti.verifier.data;

import org.jspecify.annotations.NullMarked;
