/**
 * Checks the rules and the standard matrix with deliberate mistakes. The static rules must notice
 * each changed action of a plan, and each changed resource of a request, unless the change is
 * proven to have no effect. A case of the matrix must detect each wrong algorithm.
 */
@NullMarked
package dev.tutti.mutation;

import org.jspecify.annotations.NullMarked;
