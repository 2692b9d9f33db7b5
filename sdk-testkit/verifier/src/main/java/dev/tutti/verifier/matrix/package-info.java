/** The cases in which an algorithm is checked, and the matrix that they come from. */
@NullMarked
package dev.tutti.verifier.matrix;

import org.jspecify.annotations.NullMarked;
