/** How times are taken and summed up. */
@NullMarked
package dev.tutti.cli.measure;

import org.jspecify.annotations.NullMarked;
