/** Measures the costs of a machine, and fits a model to them. */
@NullMarked
package dev.tutti.cli.tune.model;

import org.jspecify.annotations.NullMarked;
