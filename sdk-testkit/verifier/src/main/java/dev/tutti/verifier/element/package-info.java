/** Elements of every data type, in blocks. */
@NullMarked
package dev.tutti.verifier.element;

import org.jspecify.annotations.NullMarked;
