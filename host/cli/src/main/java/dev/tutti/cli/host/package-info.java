/** The host that a command works with: one of its own, or the one that serves. */
@NullMarked
package dev.tutti.cli.host;

import org.jspecify.annotations.NullMarked;
