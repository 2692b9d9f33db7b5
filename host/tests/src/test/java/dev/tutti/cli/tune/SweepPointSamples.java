package dev.tutti.cli.tune;

import dev.tutti.cli.options.OperationName;
import dev.tutti.sdk.topology.Topology;

/** Cells of two ranks. */
final class SweepPointSamples {

  private SweepPointSamples() {}

  /** All-reduce out of place. */
  static SweepPoint allReduce(long bytes) {
    return new SweepPoint(
        OperationName.of("allreduce"), Topology.flat(2), bytes / SweepOptions.TYPE.size(), false);
  }
}
