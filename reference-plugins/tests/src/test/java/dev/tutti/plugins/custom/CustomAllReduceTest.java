package dev.tutti.plugins.custom;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.junit.AllReduceTck;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.Matrix.Count;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class CustomAllReduceTest implements AllReduceTck<CustomAllReduce> {

  @Override
  public boolean refuses(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    return param.comm().topology().nodeCount() > 1
        || ranks % 2 == 1
        || ranks > 8
        || param.comm().protocol() == Protocol.RDMA
        || !isTaken(param.dataType())
        || param.count() * param.dataType().size() % 16 != 0;
  }

  private static boolean isTaken(DataType type) {
    return type == DataType.FLOAT32 || type == DataType.FLOAT16 || type == DataType.BFLOAT16;
  }

  /** Counts that make one pack, fewer packs than ranks, remainders, and one stage or two. */
  @Override
  public Matrix matrix() {
    return Matrix.standard(Operation.ALL_REDUCE)
        .withTopologies(
            Stream.of("1", "2", "3", "4", "6", "8", "10", "4+4").map(Topology::parse).toList())
        .withCounts(LongStream.of(0, 1, 8, 40, 376, 1280, 2552, 5000).mapToObj(Count::of).toList());
  }
}
