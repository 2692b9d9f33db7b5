package dev.tutti.sdk.resource;

/**
 * A one-bit flag between two streams of one rank. {@link Stream#post} sets it; {@link Stream#await}
 * waits until it is set, then clears it. A post to a set flag is lost.
 */
public interface Notify {

  /** The number of this notify among those of its rank, from 0. */
  int id();
}
