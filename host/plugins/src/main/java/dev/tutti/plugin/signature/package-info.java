/** Who signed a jar, and who is trusted. */
@NullMarked
package dev.tutti.plugin.signature;

import org.jspecify.annotations.NullMarked;
