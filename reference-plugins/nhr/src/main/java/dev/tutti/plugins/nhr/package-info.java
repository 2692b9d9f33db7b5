/** The non-uniform hierarchical ring: halving distances around a ring of any length. */
@NullMarked
package dev.tutti.plugins.nhr;

import org.jspecify.annotations.NullMarked;
