/** The permissions of plugins, and the calls that the host refuses while they run. */
@NullMarked
package dev.tutti.plugin.guard;

import org.jspecify.annotations.NullMarked;
