package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;

/**
 * One element of one type under one reduction. Between {@link #load} and {@link #store} a value is
 * held as bits in a {@code long}, which the compiler optimises away: integers are sign- or
 * zero-extended, float64 has its own bits, and every smaller float has the bits of a float32.
 */
interface Element {

  /** Loads the value at a byte offset with any alignment. */
  long load(MemorySegment segment, long offset);

  /** {@code a ⊕ b}. */
  long combine(long a, long b);

  /** Stores a value at a byte offset with any alignment; rounds it to the element if wider. */
  void store(MemorySegment segment, long offset, long value);
}
