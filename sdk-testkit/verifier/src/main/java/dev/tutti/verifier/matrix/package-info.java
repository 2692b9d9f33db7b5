/** Cases to check an algorithm in, and the matrix of those that matter. */
@NullMarked
package dev.tutti.verifier.matrix;

import org.jspecify.annotations.NullMarked;
