/** Predicts how long algorithms take on a network. */
@NullMarked
package dev.tutti.cli.simulate;

import org.jspecify.annotations.NullMarked;
