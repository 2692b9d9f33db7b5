/** JSON as the testkit reads and writes it, without a library. */
@NullMarked
package dev.tutti.simulator.text;

import org.jspecify.annotations.NullMarked;
