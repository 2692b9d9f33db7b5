/** The algorithms of plugins, by name, to be looked at without running them. */
@NullMarked
package dev.tutti.cli.catalogue;

import org.jspecify.annotations.NullMarked;
