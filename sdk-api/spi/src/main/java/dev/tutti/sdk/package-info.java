/**
 * The stable API for authors of algorithms: executors and their properties, data types and
 * reductions, and the only exception type.
 */
@NullMarked
package dev.tutti.sdk;

import org.jspecify.annotations.NullMarked;
