/**
 * One record per operation, each with exactly the fields that operation has. Counts are in
 * elements.
 */
@NullMarked
package dev.tutti.sdk.param;

import org.jspecify.annotations.NullMarked;
