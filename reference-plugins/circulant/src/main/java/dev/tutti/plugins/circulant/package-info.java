/**
 * Träff's algorithms on circulant graphs: the fewest steps and the fewest bytes for any number of
 * ranks.
 */
@NullMarked
package dev.tutti.plugins.circulant;

import org.jspecify.annotations.NullMarked;
