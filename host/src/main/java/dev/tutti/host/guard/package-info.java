/** Calls into plugin code that may throw anything or never return. */
@NullMarked
package dev.tutti.host.guard;

import org.jspecify.annotations.NullMarked;
