/** All algorithms of a context, and the choice among them. */
@NullMarked
package dev.tutti.host.pool;

import org.jspecify.annotations.NullMarked;
