/** Bruck's algorithms: each step multiplies the number of blocks that a rank has. */
@NullMarked
package dev.tutti.plugins.bruck;

import org.jspecify.annotations.NullMarked;
