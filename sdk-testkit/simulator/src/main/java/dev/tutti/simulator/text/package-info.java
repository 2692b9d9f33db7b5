/** JSON values as small files written by people hold them. */
@NullMarked
package dev.tutti.simulator.text;

import org.jspecify.annotations.NullMarked;
