/**
 * The check of the checker: plans with one changed action, and requests with one changed resource.
 * The static rules must notice the change unless it is proven to have no effect.
 */
@NullMarked
package dev.tutti.mutation;

import org.jspecify.annotations.NullMarked;
