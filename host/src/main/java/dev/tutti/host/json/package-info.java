/** Reading and writing of small JSON texts. */
@NullMarked
package dev.tutti.host.json;

import org.jspecify.annotations.NullMarked;
