/**
 * How long a plan would take on a network: time, critical path, traffic, distance to the lower
 * bound; and rule OPT. Works on the same plans that are verified and run.
 */
@NullMarked
package dev.tutti.simulator;

import org.jspecify.annotations.NullMarked;
