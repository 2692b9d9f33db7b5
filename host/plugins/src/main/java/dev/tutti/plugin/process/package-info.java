/** Processes that the host starts to examine plugins and to make plans a second time. */
@NullMarked
package dev.tutti.plugin.process;

import org.jspecify.annotations.NullMarked;
