/** How threads wait: the clock that they wait by, and what they do until they need not wait. */
@NullMarked
package dev.tutti.base.idle;

import org.jspecify.annotations.NullMarked;
