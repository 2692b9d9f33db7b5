/** Direct algorithms: every rank reaches the memory of every other one. */
@NullMarked
package dev.tutti.plugins.direct;

import org.jspecify.annotations.NullMarked;
