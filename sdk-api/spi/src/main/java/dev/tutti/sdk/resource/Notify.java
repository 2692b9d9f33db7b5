package dev.tutti.sdk.resource;

/**
 * A one-bit flag between two streams of one rank: {@link Stream#post} sets it, {@link Stream#await}
 * blocks until it is set and clears it. Posting onto a set bit loses a signal.
 */
public interface Notify {

  /** The number of this notify among those of its rank, from 0. */
  int id();
}
