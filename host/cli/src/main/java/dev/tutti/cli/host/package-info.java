/** The host that a command works with: its own host, or the host that serves. */
@NullMarked
package dev.tutti.cli.host;

import org.jspecify.annotations.NullMarked;
