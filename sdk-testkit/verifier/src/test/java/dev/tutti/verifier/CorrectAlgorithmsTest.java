package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.work.Work;
import dev.tutti.plan.work.WorkListener;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CorrectAlgorithmsTest {

  private static VirtualCluster cluster(int ranks) {
    return VirtualCluster.builder(Topology.flat(ranks)).build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void directAllReduceIsClean(int ranks) {
    VirtualCluster cluster = cluster(ranks);
    AllReduceParam param = new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 1500);

    Report report = cluster.check(Algorithms.directAllReduce(), param).requireClean();

    assertThat(report.planCount()).isEqualTo(2);
    assertThat(report.runCount()).isGreaterThanOrEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void everyTypeAndReductionIsCleanAlsoWithSpecialValues(DataType type) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(5)).schedules(2).specials(true).build();
    for (ReduceOp op : ReduceOp.values()) {
      if (op.supports(type)) {
        cluster
            .check(Algorithms.directAllReduce(), new AllReduceParam(cluster.comm(), type, op, 700))
            .requireClean();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void flatBroadcastWithSlaveStreamsIsClean(Protocol protocol) {
    for (int root = 0; root < 4; root++) {
      VirtualCluster cluster = VirtualCluster.builder(Topology.flat(4)).protocol(protocol).build();
      cluster
          .check(
              Algorithms.flatBroadcast(),
              new BroadcastParam(cluster.comm(), DataType.INT16, 33, root))
          .requireClean();
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void ringAllGatherIsCleanInBothModes(Protocol protocol) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (int ranks : new int[] {1, 2, 3, 5}) {
        VirtualCluster cluster =
            VirtualCluster.builder(Topology.flat(ranks))
                .mode(mode)
                .protocol(protocol)
                .cclBufferSize(1024)
                .build();
        cluster
            .check(
                new Algorithms.RingAllGather(),
                new AllGatherParam(cluster.comm(), DataType.FLOAT64, 77))
            .requireClean();
      }
    }
  }

  @Test
  void theProgressOfACheckIsTold() {
    Set<String> told = new LinkedHashSet<>();
    List<Double> shares = new ArrayList<>();
    WorkListener listener =
        new WorkListener() {
          @Override
          public void at(double share, String what) {
            told.add(what);
            shares.add(share);
          }

          @Override
          public void ended() {
            told.add("ended");
          }
        };
    VirtualCluster cluster = cluster(4);

    try (Work _ = Work.watch(listener)) {
      cluster
          .check(
              new Algorithms.RingAllGather(),
              new AllGatherParam(cluster.comm(), DataType.FLOAT64, 77))
          .requireClean();
    }

    assertThat(told)
        .contains(
            "checking: planning: recording",
            "checking: runs on data: comparing results",
            "checking: runs with faults")
        .endsWith("ended");
    assertThat(shares).allMatch(share -> share >= 0 && share <= 1).contains(0.5);
  }

  @Test
  void anExclusiveScanLeavesTheOutputOfRankZeroAlone() {
    VirtualCluster cluster = cluster(4);
    cluster
        .check(
            Algorithms.chainScan(),
            new ExclusiveScanParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 10))
        .requireClean();
  }

  @Test
  void allToAllVIsCheckedWithARequestPerRank() {
    List<List<Long>> counts =
        List.of(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L), List.of(7L, 0L, 9L));
    cluster(3)
        .checkRanks(
            Algorithms.directAllToAllV(counts),
            comm -> {
              List<Long> received = new ArrayList<>();
              counts.forEach(row -> received.add(row.get(comm.rank())));
              return new AllToAllVParam(
                  comm,
                  "",
                  AlgOptions.none(),
                  DataType.INT32,
                  counts.get(comm.rank()),
                  received,
                  37,
                  9);
            })
        .requireClean();
  }

  @Test
  void aBarrierHasNoDataAndIsClean() {
    VirtualCluster cluster = cluster(3);
    cluster.check(Algorithms.meshBarrier(), new BarrierParam(cluster.comm())).requireClean();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aTransferBetweenTwoRanksLeavesTheOthersOut(Protocol protocol) {
    VirtualCluster.builder(Topology.flat(4))
        .protocol(protocol)
        .cclBufferSize(256)
        .build()
        .checkTransfer(
            Algorithms.chunkedSend(), Algorithms.chunkedReceive(), 3, 1, DataType.UINT8, 1000)
        .requireClean();
  }

  /** A notify that two streams post in turn, ordered by fork and join, is no finding. */
  @Test
  void streamsMayShareANotifyOneAfterTheOther() {
    CollExecutorBase<BarrierParam> shared =
        new Sketch<>(
            param -> Sketch.mesh(param).withStreamNum(1),
            (param, res) -> {
              Link link = Sketch.links(param.comm(), res).getFirst();
              Stream main = res.mainStream();
              Stream slave = res.slaveStreams().getFirst();
              link.post(main, Link.READY);
              link.await(main, Link.READY);
              link.post(main, Link.FIN);
              link.await(main, Link.FIN);
              main.fork(res.slaveStreams());
              link.post(slave, Link.READY);
              link.await(slave, Link.READY);
              main.join(res.slaveStreams());
              link.post(main, Link.FIN);
              link.await(main, Link.FIN);
            });
    VirtualCluster cluster = cluster(2);
    cluster.check(shared, new BarrierParam(cluster.comm())).requireClean();
  }

  @Test
  void manyRanksAreCheckedWithinSeconds() {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(64)).staticOnly().schedules(1).build();
    Report report =
        cluster.check(
            new Algorithms.RingAllGather(), new AllGatherParam(cluster.comm(), DataType.INT32, 4));

    report.requireClean();
    assertThat(report.runCount()).isEqualTo(1);
  }
}
