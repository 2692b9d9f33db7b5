/** The host that a command works with: its own one, or the one that serves. */
@NullMarked
package dev.tutti.cli.host;

import org.jspecify.annotations.NullMarked;
