/** Finds the lines of requests that are wrong; not for plugins, and not exported. */
@NullMarked
package dev.tutti.sdk.trace;

import org.jspecify.annotations.NullMarked;
