/** What plugins may do, and the calls that the host refuses while they run. */
@NullMarked
package dev.tutti.host.plugin.guard;

import org.jspecify.annotations.NullMarked;
