/** Bruck's algorithms: in each step the blocks that a rank has multiply. */
@NullMarked
package dev.tutti.plugins.bruck;

import org.jspecify.annotations.NullMarked;
