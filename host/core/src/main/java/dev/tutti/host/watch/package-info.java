/**
 * Records of runs: the flight record of the last operations, counters of algorithms, and events of
 * Java's flight recorder. Nothing here is computed unless it is requested.
 */
@NullMarked
package dev.tutti.host.watch;

import org.jspecify.annotations.NullMarked;
