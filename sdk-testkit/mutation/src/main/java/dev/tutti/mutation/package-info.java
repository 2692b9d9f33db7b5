/**
 * The check of the checker: plans with one action changed, and requests with one resource changed,
 * which the static rules must notice unless the change is proven to change nothing.
 */
@NullMarked
package dev.tutti.mutation;

import org.jspecify.annotations.NullMarked;
