package dev.tutti.plugins.custom;

import dev.tutti.sdk.resource.Slice;

/**
 * 16-byte packs, which one load of a vector register reads. Supported vectors consist of whole
 * packs, and their parts do, too.
 */
final class Packs {

  static final int BYTES = 16;

  private Packs() {}

  /** Whether a vector is made of whole packs. */
  static boolean areWhole(long bytes) {
    return bytes % BYTES == 0;
  }

  /**
   * The part of a vector that a rank reduces. All parts have equally many packs, and the last rank
   * also gets the remainder. With fewer packs than ranks, it gets all, and the others have empty
   * parts.
   *
   * @param bytes the whole vector, in whole packs
   */
  static Slice part(long bytes, int ranks, int rank) {
    long size = bytes / BYTES / ranks * BYTES;
    return new Slice(rank * size, rank == ranks - 1 ? bytes - rank * size : size);
  }
}
