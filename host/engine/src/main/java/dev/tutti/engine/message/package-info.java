/** The network that plans need between processes that reach only their own memory. */
@NullMarked
package dev.tutti.engine.message;

import org.jspecify.annotations.NullMarked;
