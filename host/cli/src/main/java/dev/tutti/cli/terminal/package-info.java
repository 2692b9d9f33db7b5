/** The output of commands: to a terminal, a pipe, a file, or a client of the host that serves. */
@NullMarked
package dev.tutti.cli.terminal;

import org.jspecify.annotations.NullMarked;
