/** Scans: rank r gets the reduction of the ranks before it. */
@NullMarked
package dev.tutti.plugins.scan;

import org.jspecify.annotations.NullMarked;
