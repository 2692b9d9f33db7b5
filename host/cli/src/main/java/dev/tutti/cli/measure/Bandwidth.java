package dev.tutti.cli.measure;

import dev.tutti.sdk.Operation;

/**
 * Bandwidths as nccl-tests defines them (its {@code doc/PERFORMANCE.md}). The algorithm bandwidth
 * is the size of one rank's full vector divided by the time. The bus bandwidth multiplies it by a
 * factor for the data that an operation must move over each rank's link, so that it can be compared
 * with the hardware for any number of ranks.
 */
public final class Bandwidth {

  private static final double BYTES_PER_MICRO_IN_GB_PER_SECOND = 1e-3;

  private Bandwidth() {}

  /** The algorithm bandwidth in gigabytes (10⁹ bytes) per second. */
  public static double algorithm(long bytes, double micros) {
    return micros > 0 ? bytes / micros * BYTES_PER_MICRO_IN_GB_PER_SECOND : 0;
  }

  /** The bus bandwidth divided by the algorithm bandwidth. */
  public static double busFactor(Operation operation, int ranks) {
    double others = (ranks - 1.0) / ranks;
    return switch (operation) {
      case ALL_REDUCE -> 2 * others;
      case REDUCE_SCATTER,
          REDUCE_SCATTER_V,
          ALL_GATHER,
          ALL_GATHER_V,
          ALL_TO_ALL,
          ALL_TO_ALL_V,
          GATHER,
          GATHER_V,
          SCATTER,
          SCATTER_V ->
          others;
      case REDUCE, BROADCAST, SEND, RECEIVE, BATCH_SEND_RECV, SCAN, EXCLUSIVE_SCAN, BARRIER -> 1;
    };
  }
}
