/** The path of a plugin's author, from the archetype to a host that runs. */
@NullMarked
package dev.tutti.endtoend;

import org.jspecify.annotations.NullMarked;
