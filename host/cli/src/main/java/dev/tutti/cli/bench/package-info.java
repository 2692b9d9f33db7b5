/** Runs operations and shows their times. */
@NullMarked
package dev.tutti.cli.bench;

import org.jspecify.annotations.NullMarked;
