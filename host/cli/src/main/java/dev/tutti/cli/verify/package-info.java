/** Checks algorithms, and shows what is wrong with them. */
@NullMarked
package dev.tutti.cli.verify;

import org.jspecify.annotations.NullMarked;
