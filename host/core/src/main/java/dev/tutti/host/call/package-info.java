/**
 * The values that callers pass: operations with their counts, options, layouts, and how ranks reach
 * the buffers.
 */
@NullMarked
package dev.tutti.host.call;

import org.jspecify.annotations.NullMarked;
