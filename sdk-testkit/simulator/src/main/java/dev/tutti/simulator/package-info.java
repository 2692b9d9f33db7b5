/**
 * Simulates plans on networks: time, critical path, traffic, and distance to the lower bound. The
 * simulator uses the same plans that are verified and run.
 */
@NullMarked
package dev.tutti.simulator;

import org.jspecify.annotations.NullMarked;
