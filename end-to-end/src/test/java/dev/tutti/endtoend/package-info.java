/** Plugins in a host that runs: the path of an author from the archetype on, and captures. */
@NullMarked
package dev.tutti.endtoend;

import org.jspecify.annotations.NullMarked;
