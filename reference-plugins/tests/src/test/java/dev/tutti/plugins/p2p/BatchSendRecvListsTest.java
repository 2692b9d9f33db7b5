package dev.tutti.plugins.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSendRecvListsTest {

  private static final int RANKS = 5;
  private static final long MAX_COUNT = 300;

  private static List<List<Item>> emptyLists() {
    return IntStream.range(0, RANKS).<List<Item>>mapToObj(rank -> new ArrayList<>()).toList();
  }

  /** Messages between any two ranks, and of ranks to themselves, in any order on both sides. */
  private static List<List<Item>> randomLists(long seed) {
    Random random = new Random(seed);
    List<List<Item>> lists = emptyLists();
    List<List<Item>> receives = emptyLists();
    for (int message = 0; message < 30; message++) {
      int src = random.nextInt(RANKS);
      int dst = random.nextInt(RANKS);
      long count = random.nextLong(MAX_COUNT + 1);
      lists.get(src).add(new Item(true, dst, count));
      receives.get(dst).add(new Item(false, src, count));
    }
    for (int rank = 0; rank < RANKS; rank++) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, RANKS).boxed().toList());
      Collections.shuffle(order, random);
      // A stable sort: the receives from one rank keep their order.
      receives.get(rank).sort((a, b) -> order.indexOf(a.peer()) - order.indexOf(b.peer()));
      int place = random.nextInt(lists.get(rank).size() + 1);
      lists.get(rank).addAll(place, receives.get(rank));
    }
    return lists;
  }

  private static BatchSendRecvParam param(CommInfo comm, List<List<Item>> lists) {
    AlgOptions options = AlgOptions.none().with(BatchSendRecvExecutor.CHUNK.name(), 256);
    List<Item> items = lists.get(comm.rank());
    return new BatchSendRecvParam(comm, "", options, DataType.INT32, items, MAX_COUNT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everyOrderOfEveryListIsRight(long seed) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        VirtualCluster cluster =
            VirtualCluster.builder(Topology.flat(RANKS))
                .mode(mode)
                .protocol(protocol)
                .cclBufferSize(512)
                .build();
        List<List<Item>> lists = randomLists(seed);
        cluster.checkRanks(new BatchSendRecvExecutor(), comm -> param(comm, lists)).requireClean();
      }
    }
  }

  private static List<RankPlan> plans(List<List<Item>> lists) {
    List<RankProgram> programs =
        IntStream.range(0, RANKS)
            .mapToObj(rank -> CommInfo.of(rank, Topology.flat(RANKS)))
            .map(comm -> RankProgram.of(new BatchSendRecvExecutor(), param(comm, lists)))
            .toList();
    return new PlanRecorder().record("batch", programs).ranks();
  }

  @Test
  void onlyNamedPeersGetLinks() {
    List<List<Item>> lists = emptyLists();
    lists.get(1).add(new Item(true, 3, 2));
    lists.get(3).add(new Item(false, 1, 2));
    lists.get(4).add(new Item(true, 4, 2));
    lists.get(4).add(new Item(false, 4, 2));

    assertThat(plans(lists)).extracting(RankPlan::linkCount).containsExactly(0, 1, 0, 1, 0);
  }

  @Test
  void theReceiverTakesAMessageOutOfTheSlotOfTheSender() {
    List<List<Item>> lists = emptyLists();
    lists.get(0).add(new Item(true, 1, 2));
    lists.get(1).add(new Item(false, 0, 2));
    RankPlan receiver = plans(lists).get(1);

    assertThat(IntStream.range(0, receiver.actionCount()).mapToObj(receiver::describe))
        .containsExactly(
            "await READY from rank 0",
            "copy param-output[0+8] = rank 0's scratch[0+8]",
            "post FIN_ACK to rank 0");
  }
}
