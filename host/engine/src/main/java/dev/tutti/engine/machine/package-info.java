/** The layout and the costs of the machine that ranks share, for the choice of algorithms. */
@NullMarked
package dev.tutti.engine.machine;

import org.jspecify.annotations.NullMarked;
