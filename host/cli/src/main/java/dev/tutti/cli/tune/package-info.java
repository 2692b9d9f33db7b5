/** Measures and compares the algorithms of requests, and writes the times to a file. */
@NullMarked
package dev.tutti.cli.tune;

import org.jspecify.annotations.NullMarked;
