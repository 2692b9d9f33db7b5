package dev.tutti.host.job;

/** Access for tests of other packages to the memory of a job. */
public final class Windows {

  private Windows() {}

  /** The windows of a rank without memory yet. */
  public static MemoryWindows ofRank(int rank) {
    return new MemoryWindows(rank, freed -> {});
  }
}
