/** Finds the source lines of wrong requests; not for plugins, and not exported. */
@NullMarked
package dev.tutti.sdk.trace;

import org.jspecify.annotations.NullMarked;
