package dev.tutti.plugins.custom;

import dev.tutti.sdk.resource.Slice;

/**
 * Vectors as 16-byte packs, the unit in which they are admitted and shared out: what one load of a
 * vector register takes.
 */
final class Packs {

  static final int BYTES = 16;

  private Packs() {}

  /** Whether a vector is made of whole packs. */
  static boolean areWhole(long bytes) {
    return bytes % BYTES == 0;
  }

  /**
   * The part of a vector that a rank reduces: equally many packs each, and the last rank takes the
   * remainder too. With fewer packs than ranks it takes all, and the others have empty parts.
   *
   * @param bytes the whole vector, in whole packs
   */
  static Slice part(long bytes, int ranks, int rank) {
    long size = bytes / BYTES / ranks * BYTES;
    return new Slice(rank * size, rank == ranks - 1 ? bytes - rank * size : size);
  }
}
