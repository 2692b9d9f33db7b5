/** Checks algorithms, and shows their failures. */
@NullMarked
package dev.tutti.cli.verify;

import org.jspecify.annotations.NullMarked;
