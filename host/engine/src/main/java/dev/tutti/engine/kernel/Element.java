package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;

/**
 * One element of one type under one reduction. Between {@link #load} and {@link #store} a value
 * travels as bits in a {@code long}, which the compiler removes again: integers extended by their
 * sign or by zeros, float64 as its own bits, every smaller float as the bits of a float32.
 */
interface Element {

  /** The value at a byte, of any alignment. */
  long load(MemorySegment segment, long offset);

  /** {@code a ⊕ b}. */
  long combine(long a, long b);

  /** Stores a value at a byte, of any alignment, rounding it to the element if it is wider. */
  void store(MemorySegment segment, long offset, long value);
}
