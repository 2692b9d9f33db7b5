/** Reading and writing of small JSON texts. */
@NullMarked
package dev.tutti.plugin.json;

import org.jspecify.annotations.NullMarked;
