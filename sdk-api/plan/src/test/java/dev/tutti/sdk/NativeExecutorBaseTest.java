package dev.tutti.sdk;

import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Three ranks, elements of four bytes, the root is rank 1, CCL buffers of 256 bytes. */
class NativeExecutorBaseTest {

  private static final CommInfo GRAPH = CommInfo.of(0, Topology.flat(3)).withCclBufferSize(256);
  private static final CommInfo OP_BASE = GRAPH.withMode(WorkflowMode.OP_BASE);
  private static final DataType TYPE = DataType.INT32;
  private static final ReduceOp OP = ReduceOp.SUM;

  /** One round as the author's kernel sees it. */
  private record Round(
      long count, String input, String output, List<Slice> inputSlices, List<Slice> outputSlices) {}

  /** Records its rounds and emits nothing. */
  private static final class Probe<P extends OpParam> extends NativeExecutorBase<P> {
    private final List<Round> rounds = new ArrayList<>();

    @Override
    protected OpCommTransport calcCommInfo(P param) {
      return OpCommTransport.none();
    }

    @Override
    protected void kernelRun(P param, ExecMem mem) {
      rounds.add(
          new Round(
              mem.count(),
              mem.input().toString(),
              mem.output().toString(),
              List.copyOf(mem.inputSlices()),
              List.copyOf(mem.outputSlices())));
    }
  }

  /** The rounds of all ranks. */
  private record Ran(List<List<Round>> rounds, GroupPlan plan) {}

  private static Ran run(OpParam param) {
    int ranks = param.comm().rankSize();
    return run(
        IntStream.range(0, ranks)
            .mapToObj(rank -> param.withComm(param.comm().withRank(rank)))
            .toList());
  }

  private static Ran run(List<? extends OpParam> views) {
    List<List<Round>> rounds = new ArrayList<>();
    List<RankProgram> programs = new ArrayList<>();
    for (OpParam view : views) {
      Probe<OpParam> probe = new Probe<>();
      rounds.add(probe.rounds);
      programs.add(RankProgram.of(probe, view));
    }
    return new Ran(rounds, new PlanRecorder().withSources(false).record("probe", programs));
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  // ---- every operation family

  private static List<Long> uneven(long n) {
    return List.of(n, 0L, (n + 1) / 2);
  }

  /** The views of all ranks of every operation, by a count. */
  static Stream<Named<LongFunction<List<? extends OpParam>>>> families() {
    return Stream.of(
        family("allreduce", n -> new AllReduceParam(OP_BASE, TYPE, OP, n)),
        family("reduce", n -> new ReduceParam(OP_BASE, TYPE, OP, n, 1)),
        family("reducescatter", n -> new ReduceScatterParam(OP_BASE, TYPE, OP, n)),
        family("reducescatterv", n -> new ReduceScatterVParam(OP_BASE, TYPE, OP, uneven(n))),
        family("allgather", n -> new AllGatherParam(OP_BASE, TYPE, n)),
        family("allgatherv", n -> new AllGatherVParam(OP_BASE, TYPE, uneven(n))),
        family("broadcast", n -> new BroadcastParam(OP_BASE, TYPE, n, 1)),
        family("gather", n -> new GatherParam(OP_BASE, TYPE, n, 1)),
        family("gatherv", n -> new GatherVParam(OP_BASE, TYPE, uneven(n), 1)),
        family("scatter", n -> new ScatterParam(OP_BASE, TYPE, n, 1)),
        family("scatterv", n -> new ScatterVParam(OP_BASE, TYPE, uneven(n), 1)),
        family("alltoall", n -> new AllToAllParam(OP_BASE, TYPE, n)),
        family("scan", n -> new ScanParam(OP_BASE, TYPE, OP, n)),
        family("exclusivescan", n -> new ExclusiveScanParam(OP_BASE, TYPE, OP, n)),
        Named.of("alltoallv", NativeExecutorBaseTest::allToAllV),
        Named.of("send and receive", NativeExecutorBaseTest::transfer));
  }

  private static Named<LongFunction<List<? extends OpParam>>> family(
      String name, LongFunction<OpParam> param) {
    return Named.of(
        name,
        n ->
            IntStream.range(0, 3)
                .mapToObj(rank -> param.apply(n).withComm(OP_BASE.withRank(rank)))
                .toList());
  }

  /** Rank r sends (r + 1) · n / 3 elements to every rank. */
  private static List<AllToAllVParam> allToAllV(long n) {
    List<Long> received = List.of(n / 3, 2 * n / 3, n);
    return IntStream.range(0, 3)
        .mapToObj(
            rank ->
                new AllToAllVParam(
                    OP_BASE.withRank(rank),
                    "",
                    AlgOptions.none(),
                    TYPE,
                    Collections.nCopies(3, received.get(rank)),
                    received,
                    6 * n,
                    n))
        .toList();
  }

  private static List<OpParam> transfer(long n) {
    CommInfo two =
        CommInfo.of(0, Topology.flat(2)).withMode(WorkflowMode.OP_BASE).withCclBufferSize(256);
    return List.of(new SendParam(two, TYPE, n, 1), new ReceiveParam(two.withRank(1), TYPE, n, 0));
  }

  @ParameterizedTest
  @MethodSource("families")
  void roundsTogetherStageEveryByteExactlyOnce(LongFunction<List<? extends OpParam>> family) {
    for (long n : new long[] {1, 20, 21, 22, 31, 32, 33, 63, 64, 65, 200}) {
      List<? extends OpParam> views = family.apply(n);
      Ran ran = run(views);
      for (OpParam view : views) {
        RankPlan plan = ran.plan.rank(view.comm().rank());
        boolean hasOutput = !(view instanceof ExclusiveScanParam) || plan.rank() > 0;
        assertThat(staged(plan, TransportMemType.PARAM_INPUT))
            .as("input of rank %d, n=%d", plan.rank(), n)
            .isEqualTo(eachOnce(view.inputBytes()));
        assertThat(staged(plan, TransportMemType.PARAM_OUTPUT))
            .as("output of rank %d, n=%d", plan.rank(), n)
            .isEqualTo(eachOnce(hasOutput ? view.outputBytes() : 0));
      }
    }
  }

  /** How often each byte of the caller's memory is copied. */
  private static List<Integer> staged(RankPlan plan, TransportMemType type) {
    int[] copies = new int[(int) plan.memSize(type)];
    for (int action = 0; action < plan.actionCount(); action++) {
      long start = -1;
      if (plan.dstType(action) == type) {
        assertThat(plan.srcType(action, 0)).isEqualTo(TransportMemType.CCL_OUTPUT);
        start = plan.dstOffset(action);
      } else if (plan.srcType(action, 0) == type) {
        assertThat(plan.dstType(action)).isEqualTo(TransportMemType.CCL_INPUT);
        start = plan.srcOffset(action, 0);
      }
      for (long at = start; start >= 0 && at < start + plan.bytes(action); at++) {
        copies[(int) at]++;
      }
    }
    return Arrays.stream(copies).filter(count -> count > 0).boxed().toList();
  }

  private static List<Integer> eachOnce(long bytes) {
    return Collections.nCopies((int) bytes, 1);
  }

  @ParameterizedTest
  @MethodSource("families")
  void allRanksRunEquallyManyRoundsOfEqualCounts(LongFunction<List<? extends OpParam>> family) {
    for (long n : new long[] {1, 22, 65, 200}) {
      List<List<Long>> counts =
          run(family.apply(n)).rounds.stream()
              .map(rounds -> rounds.stream().map(Round::count).toList())
              .distinct()
              .toList();

      assertThat(counts).hasSize(1);
      assertThat(counts.getFirst().stream().mapToLong(Long::longValue).sum()).isEqualTo(n);
    }
  }

  @ParameterizedTest
  @MethodSource("families")
  void zeroElementsEmitNothing(LongFunction<List<? extends OpParam>> family) {
    Ran ran = run(family.apply(0));

    assertThat(ran.rounds).allMatch(List::isEmpty);
    assertThat(ran.plan.actionCount()).isZero();
  }

  // ---- OP_BASE in detail

  @ParameterizedTest
  @CsvSource({"63, 63", "64, 64", "65, 64 1", "128, 64 64", "129, 64 64 1"})
  void aRoundHoldsWhatFitsInTheCclBuffer(long count, String rounds) {
    List<Round> ran = run(new AllReduceParam(OP_BASE, TYPE, OP, count)).rounds.get(2);

    assertThat(ran.stream().map(round -> Long.toString(round.count)).toList())
        .containsExactly(rounds.split(" "));
  }

  @Test
  void roundsEndAtCacheLinesWhereTheyCan() {
    CommInfo comm = OP_BASE.withCclBufferSize(400);

    assertThat(run(new AllReduceParam(comm, TYPE, OP, 130)).rounds.getFirst())
        .extracting(Round::count)
        .containsExactly(96L, 34L);
  }

  @Test
  void eachRoundIsStagedInRunAndStagedOut() {
    Ran ran = run(new AllReduceParam(OP_BASE, TYPE, OP, 65));

    assertThat(actions(ran.plan.rank(0)))
        .containsExactly(
            "copy ccl-input[0+256] = param-input[0+256]",
            "copy param-output[0+256] = ccl-output[0+256]",
            "copy ccl-input[0+4] = param-input[256+4]",
            "copy param-output[256+4] = ccl-output[0+4]");
    assertThat(ran.rounds.get(0).getLast())
        .isEqualTo(
            new Round(
                1,
                "rank 0 ccl-input[0, 4)",
                "rank 0 ccl-output[0, 4)",
                List.of(new Slice(0, 4)),
                List.of(new Slice(0, 4))));
  }

  @Test
  void everyBlockIsCutAtTheSamePlace() {
    Ran ran = run(new ReduceScatterParam(OP_BASE, TYPE, OP, 22));

    assertThat(actions(ran.plan.rank(2)))
        .containsExactly(
            "copy ccl-input[0+84] = param-input[0+84]",
            "copy ccl-input[84+84] = param-input[88+84]",
            "copy ccl-input[168+84] = param-input[176+84]",
            "copy param-output[0+84] = ccl-output[0+84]",
            "copy ccl-input[0+4] = param-input[84+4]",
            "copy ccl-input[4+4] = param-input[172+4]",
            "copy ccl-input[8+4] = param-input[260+4]",
            "copy param-output[84+4] = ccl-output[0+4]");
    assertThat(ran.rounds.get(2).getFirst().inputSlices)
        .containsExactly(new Slice(0, 84), new Slice(84, 84), new Slice(168, 84));
  }

  @Test
  void blocksThatAreDoneAreEmptyInLaterRounds() {
    Ran ran = run(new AllGatherVParam(OP_BASE, TYPE, List.of(22L, 0L, 5L)));

    assertThat(ran.rounds.get(1))
        .containsExactly(
            new Round(
                21,
                "rank 1 ccl-input[0, 0)",
                "rank 1 ccl-output[0, 104)",
                List.of(new Slice(0, 0)),
                List.of(new Slice(0, 84), new Slice(84, 0), new Slice(84, 20))),
            new Round(
                1,
                "rank 1 ccl-input[0, 0)",
                "rank 1 ccl-output[0, 4)",
                List.of(new Slice(0, 0)),
                List.of(new Slice(0, 4), new Slice(4, 0), new Slice(4, 0))));
    assertThat(actions(ran.plan.rank(1)))
        .containsExactly(
            "copy param-output[0+84] = ccl-output[0+84]",
            "copy param-output[88+20] = ccl-output[84+20]",
            "copy param-output[84+4] = ccl-output[0+4]");
  }

  @Test
  void onlyTheRootStagesWhatOnlyTheRootHas() {
    GroupPlan plan = run(new BroadcastParam(OP_BASE, TYPE, 3, 1)).plan;

    assertThat(actions(plan.rank(0))).containsExactly("copy param-output[0+12] = ccl-output[0+12]");
    assertThat(actions(plan.rank(1)))
        .containsExactly(
            "copy ccl-input[0+12] = param-input[0+12]",
            "copy param-output[0+12] = ccl-output[0+12]");
  }

  @Test
  void aCclBufferThatHoldsNotOneElementOfEachBlockIsRefused() {
    CommInfo comm =
        CommInfo.of(0, Topology.flat(33)).withMode(WorkflowMode.OP_BASE).withCclBufferSize(256);
    AllToAllParam fits = new AllToAllParam(comm.withCclBufferSize(264), DataType.INT64, 1);
    AllToAllParam param = new AllToAllParam(comm, DataType.INT64, 1);

    assertThat(run(fits).rounds.getFirst()).hasSize(1);
    TuttiException refusal = refusalOf(() -> run(param));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_MISMATCH);
    assertThat(refusal)
        .hasMessageEndingWith(
            "a CCL buffer must hold one element of 8 bytes for each of 33 blocks. Actual: 256"
                + " bytes; create the group with larger buffers");
  }

  @Test
  void aBatchIsNotForThisBaseClass() {
    BatchSendRecvParam param =
        new BatchSendRecvParam(OP_BASE, "", AlgOptions.none(), TYPE, List.of(), 0);

    assertThat(refusalOf(() -> run(param)))
        .hasMessageEndingWith(
            "the ranks of a batch do not agree on a number of blocks; extend CollExecutorBase and"
                + " orchestrate its rounds yourself");
  }

  // ---- GRAPH, barrier, helpers

  @Test
  void inGraphModeTheKernelRunsOnceOnTheCallersMemory() {
    Ran ran = run(new ReduceScatterParam(GRAPH, TYPE, OP, 1000));

    assertThat(ran.plan.actionCount()).isZero();
    assertThat(ran.rounds.get(1))
        .containsExactly(
            new Round(
                1000,
                "rank 1 param-input[0, 12000)",
                "rank 1 param-output[0, 4000)",
                List.of(new Slice(0, 4000), new Slice(4000, 4000), new Slice(8000, 4000)),
                List.of(new Slice(0, 4000))));
  }

  @Test
  void aBarrierRunsItsKernelOnceInBothModes() {
    for (CommInfo comm : List.of(GRAPH, OP_BASE)) {
      assertThat(run(new BarrierParam(comm)).rounds)
          .allSatisfy(rounds -> assertThat(rounds).extracting(Round::count).containsExactly(0L));
    }
  }

  @Test
  void memoryKindsAndTheSizeOfARoundFollowTheMode() {
    AllReduceParam staged = new AllReduceParam(OP_BASE, TYPE, OP, 1000);
    AllReduceParam registered = new AllReduceParam(GRAPH, TYPE, OP, 1000);

    assertThat(NativeExecutorBase.inputMemType(staged)).isEqualTo(TransportMemType.CCL_INPUT);
    assertThat(NativeExecutorBase.outputMemType(staged)).isEqualTo(TransportMemType.CCL_OUTPUT);
    assertThat(NativeExecutorBase.maxCountPerRound(staged)).isEqualTo(64);
    assertThat(NativeExecutorBase.inputMemType(registered)).isEqualTo(TransportMemType.PARAM_INPUT);
    assertThat(NativeExecutorBase.outputMemType(registered))
        .isEqualTo(TransportMemType.PARAM_OUTPUT);
    assertThat(NativeExecutorBase.maxCountPerRound(registered)).isEqualTo(1000);
  }
}
