/** Measurements as pages: charts over size, and which algorithm wins where. */
@NullMarked
package dev.tutti.cli.chart;

import org.jspecify.annotations.NullMarked;
