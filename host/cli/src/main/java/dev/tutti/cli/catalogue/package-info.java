/** Finds the algorithms of plugins by name, to inspect them without running them. */
@NullMarked
package dev.tutti.cli.catalogue;

import org.jspecify.annotations.NullMarked;
