/** Scans: rank r gets the reduction over the ranks before it, with or without its own operand. */
@NullMarked
package dev.tutti.plugins.scan;

import org.jspecify.annotations.NullMarked;
