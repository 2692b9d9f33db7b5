/** Elements of every data type, in blocks. */
@NullMarked
package dev.tutti.testkit.element;

import org.jspecify.annotations.NullMarked;
