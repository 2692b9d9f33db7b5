/**
 * Finds the source lines of wrong requests; not for plugins, and exported to the plan module only.
 */
@NullMarked
package dev.tutti.sdk.trace;

import org.jspecify.annotations.NullMarked;
