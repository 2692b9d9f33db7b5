/** Calls into plugin code that may throw anything or never return. */
@NullMarked
package dev.tutti.plugin.limit;

import org.jspecify.annotations.NullMarked;
