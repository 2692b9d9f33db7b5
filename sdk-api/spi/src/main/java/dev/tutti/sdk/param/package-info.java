/** One record per operation, with exactly the fields of that operation. Counts are in elements. */
@NullMarked
package dev.tutti.sdk.param;

import org.jspecify.annotations.NullMarked;
