/** Processes that the host starts to examine plugins and to have plans made a second time. */
@NullMarked
package dev.tutti.plugin.process;

import org.jspecify.annotations.NullMarked;
