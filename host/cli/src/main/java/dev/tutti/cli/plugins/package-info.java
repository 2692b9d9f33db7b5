/** Shows and changes the plugins of a host. */
@NullMarked
package dev.tutti.cli.plugins;

import org.jspecify.annotations.NullMarked;
