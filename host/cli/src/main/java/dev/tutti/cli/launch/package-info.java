/** Starts the ranks of a command as processes of this machine. */
@NullMarked
package dev.tutti.cli.launch;

import org.jspecify.annotations.NullMarked;
