package dev.tutti.plugins.custom;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The machine for which the number of stages is chosen. One stage saves a barrier, but touches
 * (p-2)n - n/p more bytes on each rank. So it is faster up to a size that grows with the cost of a
 * barrier. With two ranks, it touches fewer bytes, so it is faster at every size.
 */
enum Profile {
  /** Ranks are threads of one process: measured on two cores, in both modes. */
  CPU(10 << 10, 5 << 10),
  /** Ranks are accelerators with a full mesh of links: the switch points of the original. */
  GPU(512 << 10, 256 << 10);

  private static final int FEW_RANKS = 4;

  private final long bytesOfFewRanks;
  private final long bytesOfMoreRanks;

  Profile(long bytesOfFewRanks, long bytesOfMoreRanks) {
    this.bytesOfFewRanks = bytesOfFewRanks;
    this.bytesOfMoreRanks = bytesOfMoreRanks;
  }

  /** Whether a vector is so short that one stage is used. */
  boolean isOneStage(int ranks, long bytes) {
    return ranks == 2 || bytes < (ranks <= FEW_RANKS ? bytesOfFewRanks : bytesOfMoreRanks);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(Profile::label).toList();
  }

  static Profile fromLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
