/** Compares the algorithms of requests by measurements, and writes the fast ones to a file. */
@NullMarked
package dev.tutti.cli.tune;

import org.jspecify.annotations.NullMarked;
