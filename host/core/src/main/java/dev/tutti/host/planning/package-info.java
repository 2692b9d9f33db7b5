/**
 * The way from a call to its plan: algorithms are asked, compared and judged, and plans are
 * recorded, compiled and kept. Knows neither buffers nor groups.
 */
@NullMarked
package dev.tutti.host.planning;

import org.jspecify.annotations.NullMarked;
