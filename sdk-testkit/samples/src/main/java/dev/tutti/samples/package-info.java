/** Right and simple algorithms, and plans drawn by hand, that tests share. */
@NullMarked
package dev.tutti.samples;

import org.jspecify.annotations.NullMarked;
