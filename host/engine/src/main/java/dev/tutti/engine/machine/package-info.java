/** What the machine that ranks share costs, as far as the choice of algorithms needs it. */
@NullMarked
package dev.tutti.engine.machine;

import org.jspecify.annotations.NullMarked;
