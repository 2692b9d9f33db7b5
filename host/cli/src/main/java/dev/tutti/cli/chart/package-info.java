/** Measurements as pages: charts over size, and the fastest algorithm for each request. */
@NullMarked
package dev.tutti.cli.chart;

import org.jspecify.annotations.NullMarked;
