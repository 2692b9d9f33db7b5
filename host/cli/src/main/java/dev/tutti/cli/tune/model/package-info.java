/** Measures what a machine costs, and fits a model to it. */
@NullMarked
package dev.tutti.cli.tune.model;

import org.jspecify.annotations.NullMarked;
