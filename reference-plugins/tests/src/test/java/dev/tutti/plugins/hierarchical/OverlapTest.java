package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverlapTest {

  private static final AlgOptions SEGMENTS = AlgOptions.none().with(Segments.SEGMENT.name(), 256);

  /** Two, three and many segments, in one round and in several, in place and not. */
  @ParameterizedTest
  @CsvSource({"2+2, 100", "3+3+3, 400", "1+1+1, 300", "4+2+3, 333", "2+2|2+1, 150", "2+2, 3"})
  void overlappedSegmentsAreRight(String shape, long count) {
    check(new HierarchicalAllReduce(), shape, count);
  }

  @ParameterizedTest
  @CsvSource({"2+2|2+2, 300", "1|1|1, 300", "3+2+2|2+2, 333", "2+2|2+1, 3"})
  void overlappedSegmentsOverThreeLevelsAreRight(String shape, long count) {
    check(new ThreeLevelAllReduce(), shape, count);
  }

  private static void check(LevelAllReduce algorithm, String shape, long count) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (Protocol inNode : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
        for (Protocol between : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
          VirtualCluster cluster =
              VirtualCluster.builder(Topology.parse(shape))
                  .mode(mode)
                  .protocol(between)
                  .protocol(CommPlane.LEVEL0, inNode)
                  .cclBufferSize(1024)
                  .schedules(2)
                  .build();
          for (boolean inPlace : new boolean[] {false, true}) {
            AllReduceParam param =
                new AllReduceParam(
                    cluster.comm(), "", SEGMENTS, DataType.FLOAT32, ReduceOp.SUM, count, inPlace);
            cluster.check(algorithm, param).requireClean();
          }
        }
      }
    }
  }
}
