/** Algorithms composed of templates over the levels of a topology. */
@NullMarked
package dev.tutti.plugins.hierarchical;

import org.jspecify.annotations.NullMarked;
