package dev.tutti.plugins.custom;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;

/** Requests for tests. */
final class Requests {

  static final AlgOptions ONE_STAGE = AlgOptions.none().with("algorithm", "1stage");
  static final AlgOptions TWO_STAGES = AlgOptions.none().with("algorithm", "2stage");

  private Requests() {}

  /** A sum of float32 with its own output. */
  static AllReduceParam sum(CommInfo comm, AlgOptions options, long bytes) {
    return sum(comm, options, DataType.FLOAT32, bytes);
  }

  /** A sum with its own output. */
  static AllReduceParam sum(CommInfo comm, AlgOptions options, DataType type, long bytes) {
    return new AllReduceParam(comm, "", options, type, ReduceOp.SUM, bytes / type.size(), false);
  }
}
