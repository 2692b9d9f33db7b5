package dev.tutti.host.job;

/** What tests of the packages above reach of the memory of a job. */
public final class Windows {

  private Windows() {}

  /** The memory of a rank that has none yet. */
  public static MemoryWindows ofRank(int rank) {
    return new MemoryWindows(rank, freed -> {});
  }
}
