/** Measures what a machine costs, and fits a model to it. */
@NullMarked
package dev.tutti.cli.calibrate;

import org.jspecify.annotations.NullMarked;
