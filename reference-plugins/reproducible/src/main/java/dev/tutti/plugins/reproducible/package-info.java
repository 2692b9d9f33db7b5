/** Reductions whose order of operands is fixed. */
@NullMarked
package dev.tutti.plugins.reproducible;

import org.jspecify.annotations.NullMarked;
