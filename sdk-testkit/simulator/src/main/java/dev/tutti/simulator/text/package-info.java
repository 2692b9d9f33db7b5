/** JSON values of small files written by hand. */
@NullMarked
package dev.tutti.simulator.text;

import org.jspecify.annotations.NullMarked;
