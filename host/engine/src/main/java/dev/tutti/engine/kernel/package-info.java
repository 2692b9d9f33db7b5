/**
 * The loops that touch payload bytes: reductions of every data type and copies. They know segments,
 * types and operations, but no ranks, plans or threads.
 */
@NullMarked
package dev.tutti.engine.kernel;

import org.jspecify.annotations.NullMarked;
