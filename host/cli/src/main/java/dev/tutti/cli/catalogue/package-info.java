/** The algorithms of plugins, by name, to inspect without running them. */
@NullMarked
package dev.tutti.cli.catalogue;

import org.jspecify.annotations.NullMarked;
