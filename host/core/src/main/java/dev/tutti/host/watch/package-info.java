/**
 * Notes of what runs: the flight record of the last operations, counters of algorithms, and events
 * of Java's flight recorder. Nothing here is asked for unless somebody wants it.
 */
@NullMarked
package dev.tutti.host.watch;

import org.jspecify.annotations.NullMarked;
