/** Measures and summarises times. */
@NullMarked
package dev.tutti.cli.measure;

import org.jspecify.annotations.NullMarked;
