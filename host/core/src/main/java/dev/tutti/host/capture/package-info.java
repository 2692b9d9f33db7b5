/** Recorded calls as one plan over all of their buffers. */
@NullMarked
package dev.tutti.host.capture;

import org.jspecify.annotations.NullMarked;
