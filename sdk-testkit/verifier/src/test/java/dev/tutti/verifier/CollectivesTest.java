package dev.tutti.verifier;

import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The algorithms that test the simulator are right. */
class CollectivesTest {

  private static AllReduceParam allReduce(CommInfo comm, long count) {
    return new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
  }

  private static AllToAllParam allToAll(CommInfo comm, long count) {
    return new AllToAllParam(comm, DataType.FLOAT32, count);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8})
  void collectivesOfTheSamplesAreRight(int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).schedules(2).build();
    CommInfo comm = cluster.comm();
    AllReduceParam reduce = allReduce(comm, 37);
    for (CollExecutorBase<AllReduceParam> executor :
        List.of(Collectives.ring(), Collectives.recursiveDoubling(), Collectives.rabenseifner())) {
      cluster.check(executor, reduce).requireClean();
    }
    cluster
        .check(Collectives.binomialBroadcast(), new BroadcastParam(comm, DataType.FLOAT32, 37, 0))
        .requireClean();
    cluster
        .check(
            Collectives.binomialReduce(),
            new ReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, 37, 0))
        .requireClean();
    cluster.check(Collectives.pairwise(), allToAll(comm, 5)).requireClean();
    cluster.check(Collectives.bruckAllToAll(), allToAll(comm, 5)).requireClean();
    cluster
        .check(Collectives.bruckAllGather(), new AllGatherParam(comm, DataType.FLOAT32, 5))
        .requireClean();
  }
}
