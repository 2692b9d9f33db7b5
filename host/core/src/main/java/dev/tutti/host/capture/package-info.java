/** Recorded calls as one plan over their common memories. */
@NullMarked
package dev.tutti.host.capture;

import org.jspecify.annotations.NullMarked;
