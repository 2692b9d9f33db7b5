/** Spans of operations. */
@NullMarked
package dev.tutti.opentelemetry;

import org.jspecify.annotations.NullMarked;
