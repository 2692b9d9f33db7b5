/**
 * The steps from a call to its plan: algorithms are asked and compared, and plans are recorded,
 * judged, compiled and kept. This package knows neither buffers nor groups.
 */
@NullMarked
package dev.tutti.host.planning;

import org.jspecify.annotations.NullMarked;
