/** The custom all-reduce: a few ranks of one node load one another's registered memory. */
@NullMarked
package dev.tutti.plugins.custom;

import org.jspecify.annotations.NullMarked;
