package dev.tutti.cli;

import dev.tutti.sdk.topology.Topology;

/** Cells of two ranks. */
final class CellSamples {

  private CellSamples() {}

  /** All-reduce out of place. */
  static Cell allReduce(long bytes) {
    return new Cell(
        OperationName.of("allreduce"), Topology.flat(2), bytes / SweepOptions.TYPE.size(), false);
  }
}
