/** The command line: runs, measures and shows collective operations. */
@NullMarked
package dev.tutti.cli;

import org.jspecify.annotations.NullMarked;
