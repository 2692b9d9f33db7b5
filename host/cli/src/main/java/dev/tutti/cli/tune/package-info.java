/** Measures the algorithms of requests against each other, and writes down which are fast. */
@NullMarked
package dev.tutti.cli.tune;

import org.jspecify.annotations.NullMarked;
