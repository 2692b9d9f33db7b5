/** Builds and verifies the project of a plugin at every save. */
@NullMarked
package dev.tutti.cli.dev;

import org.jspecify.annotations.NullMarked;
