package dev.tutti.verifier.symbol;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static dev.tutti.sdk.resource.TransportMemType.SCRATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Right plans have no findings. */
class RightPlansTest {

  private static <P extends OpParam> List<Finding> check(
      CollExecutorBase<P> executor, P param, Determinism declared) {
    return Symbols.check(executor, param, SymbolOptions.of(declared));
  }

  private static AllReduceParam allReduce(
      int ranks, WorkflowMode mode, DataType type, long count, boolean inPlace) {
    return new AllReduceParam(
        Symbols.comm(ranks, mode, Protocol.DIRECT),
        "",
        AlgOptions.none(),
        type,
        ReduceOp.SUM,
        count,
        inPlace);
  }

  /** Reduce-scatter and all-gather around a ring, on the output. */
  private static final class Ring extends NativeExecutorBase<AllReduceParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      int ranks = param.comm().rankSize();
      int rank = param.comm().rank();
      Stream main = mem.resources().mainStream();
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      if (ranks == 1) {
        return;
      }
      List<Slice> slices = Slice.partition(mem.count(), ranks, param.dataType().size());
      Link next = Sketch.link(mem.resources(), (rank + 1) % ranks);
      Link previous = Sketch.link(mem.resources(), (rank + ranks - 1) % ranks);
      for (int step = 0; step < 2 * (ranks - 1); step++) {
        boolean isReducing = step < ranks - 1;
        Slice slice = slices.get(Math.floorMod(rank - 1 - step + (isReducing ? 0 : ranks), ranks));
        next.post(main, Link.READY);
        previous.await(main, Link.READY);
        var dst = mem.output().slice(slice.offset(), slice.size());
        var src =
            previous
                .remote(outputMemType(param))
                .slice(mem.output().offset() + slice.offset(), slice.size());
        if (isReducing) {
          previous.readReduce(main, dst, src, param.dataType(), param.reduceOp());
        } else {
          previous.read(main, dst, src);
        }
        previous.post(main, Link.FIN);
        next.await(main, Link.FIN);
      }
    }
  }

  /** Every rank exchanges its sum so far with the rank that differs in one bit. */
  private static Sketch<AllReduceParam> doubling() {
    return new Sketch<>(
        param ->
            Sketch.mesh(param, PARAM_OUTPUT, SCRATCH)
                .withScratchMemSize(Math.max(1, param.outputBytes())),
        (param, res) -> {
          Stream main = res.mainStream();
          var sum = res.paramOutputMem();
          var theirs = res.scratchMem().slice(0, sum.size());
          if (!param.inPlace()) {
            main.copy(sum, res.paramInputMem());
          }
          for (int bit = 1; bit < param.comm().rankSize(); bit *= 2) {
            Link link = Sketch.link(res, param.comm().rank() ^ bit);
            link.post(main, Link.READY);
            link.await(main, Link.READY);
            link.read(main, theirs, link.remote(PARAM_OUTPUT));
            link.post(main, Link.FIN);
            link.await(main, Link.FIN);
            main.reduce(sum, theirs, param.dataType(), param.reduceOp());
          }
        });
  }

  @ParameterizedTest
  @EnumSource(WorkflowMode.class)
  void ringAllReduce(WorkflowMode mode) {
    for (int ranks : new int[] {1, 2, 3, 5, 8}) {
      for (long count : new long[] {0, 1, ranks - 1, ranks, 77, 200}) {
        for (boolean inPlace : new boolean[] {false, true}) {
          AllReduceParam param = allReduce(ranks, mode, DataType.FLOAT32, count, inPlace);
          assertThat(check(new Ring(), param, Determinism.SAME_RANKS)).as("%s", param).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void doublingAllReduceOfEveryTypeWithTheStrongestPromise(DataType type) {
    for (int ranks : new int[] {1, 2, 4, 8}) {
      for (boolean inPlace : new boolean[] {false, true}) {
        AllReduceParam param = allReduce(ranks, WorkflowMode.GRAPH, type, 9, inPlace);
        assertThat(check(doubling(), param, Determinism.SAME_SIZES)).as("%s", param).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void meshAllReduce(int ranks) {
    for (boolean inPlace : new boolean[] {false, true}) {
      AllReduceParam param = allReduce(ranks, WorkflowMode.GRAPH, DataType.BFLOAT16, 13, inPlace);
      assertThat(check(Algorithms.directAllReduce(), param, Determinism.SAME_SIZES)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void broadcastFromEveryRoot(Protocol protocol) {
    for (int root = 0; root < 4; root++) {
      for (boolean inPlace : new boolean[] {false, true}) {
        BroadcastParam param =
            new BroadcastParam(
                Symbols.comm(4, WorkflowMode.GRAPH, protocol),
                "",
                AlgOptions.none(),
                DataType.INT16,
                33,
                root,
                inPlace);
        assertThat(check(Algorithms.flatBroadcast(), param, Determinism.SAME_SIZES)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void ringAllGatherInBothModes(Protocol protocol) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (int ranks : new int[] {1, 2, 3, 5}) {
        AllGatherParam param =
            new AllGatherParam(Symbols.comm(ranks, mode, protocol), DataType.FLOAT64, 77);
        assertThat(check(new Algorithms.RingAllGather(), param, Determinism.SAME_SIZES)).isEmpty();
      }
    }
  }

  @Test
  void exclusiveScan() {
    assertThat(
            check(
                Algorithms.chainScan(),
                new ExclusiveScanParam(Symbols.comm(4), DataType.FLOAT32, ReduceOp.SUM, 10),
                Determinism.SAME_SIZES))
        .isEmpty();
  }

  @Test
  void barrier() {
    assertThat(
            check(
                Algorithms.meshBarrier(),
                new BarrierParam(Symbols.comm(3)),
                Determinism.SAME_SIZES))
        .isEmpty();
  }

  @Test
  void allToAllWithVaryingCounts() {
    List<List<Long>> counts =
        List.of(List.of(1L, 2L, 3L), List.of(4L, 5L, 6L), List.of(7L, 0L, 9L));
    List<RankProgram> programs = new ArrayList<>();
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      int column = rank;
      AllToAllVParam param =
          new AllToAllVParam(
              Symbols.comm(3).withRank(rank),
              "",
              AlgOptions.none(),
              DataType.INT32,
              counts.get(rank),
              counts.stream().map(row -> row.get(column)).toList(),
              37,
              9);
      params.add(param);
      programs.add(RankProgram.of(Algorithms.directAllToAllV(counts), param));
    }
    assertThat(check(new PlanRecorder().record("all-to-all", programs), params)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aTransferThatLeavesOtherRanksOut(Protocol protocol) {
    var comm = Symbols.comm(4, WorkflowMode.OP_BASE, protocol);
    SendParam send = new SendParam(comm.withRank(3), DataType.UINT8, 1000, 1);
    ReceiveParam receive = new ReceiveParam(comm.withRank(1), DataType.UINT8, 1000, 3);
    List<@Nullable OpParam> params = Arrays.asList(null, receive, null, send);
    List<RankProgram> programs =
        List.of(
            RankProgram.idle(comm.withRank(0)),
            RankProgram.of(Algorithms.chunkedReceive(), receive),
            RankProgram.idle(comm.withRank(2)),
            RankProgram.of(Algorithms.chunkedSend(), send));
    assertThat(check(new PlanRecorder().record("transfer", programs), params)).isEmpty();
  }

  /** One copy brings two transfers, and the output does not have them in rank order. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchOfTransfersThatArriveTogether(boolean isStaged) {
    List<List<BatchSendRecvParam.Item>> items =
        List.of(
            List.of(
                new BatchSendRecvParam.Item(false, 2, 3),
                new BatchSendRecvParam.Item(false, 1, 2),
                new BatchSendRecvParam.Item(false, 1, 4),
                new BatchSendRecvParam.Item(false, 2, 1)),
            List.of(
                new BatchSendRecvParam.Item(true, 0, 2), new BatchSendRecvParam.Item(true, 0, 4)),
            List.of(
                new BatchSendRecvParam.Item(true, 0, 3), new BatchSendRecvParam.Item(true, 0, 1)));
    Sketch<BatchSendRecvParam> executor =
        new Sketch<>(
            param -> Sketch.mesh(param).withScratchMemSize(40),
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              if (param.comm().rank() == 0) {
                DeviceMem to = isStaged ? res.scratchMem() : res.paramOutputMem();
                Link one = Sketch.link(res, 1);
                one.read(res.mainStream(), to.slice(12, 24), one.remote(PARAM_INPUT));
                Link two = Sketch.link(res, 2);
                DeviceMem ofTwo = two.remote(PARAM_INPUT);
                two.read(res.mainStream(), to.slice(0, 12), ofTwo.slice(0, 12));
                two.read(res.mainStream(), to.slice(36, 4), ofTwo.slice(12, 4));
                if (isStaged) {
                  res.mainStream().copy(res.paramOutputMem(), to);
                }
              }
              Sketch.exchange(param.comm(), res, Link.FIN);
            });
    List<RankProgram> programs = new ArrayList<>();
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      BatchSendRecvParam param =
          new BatchSendRecvParam(
              Symbols.comm(3).withRank(rank),
              "",
              AlgOptions.none(),
              DataType.INT32,
              items.get(rank),
              4);
      params.add(param);
      programs.add(RankProgram.of(executor, param));
    }
    assertThat(check(new PlanRecorder().record("batch", programs), params)).isEmpty();
  }

  /** The halves of each element are copied from sums that are associated differently. */
  @Test
  void integersThatAreAssociatedDifferentlyAreTheSameElement() {
    Sketch<AllReduceParam> executor =
        new Sketch<>(
            param -> Sketch.mesh(param).withScratchMemSize(12),
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              List<DeviceMem> inputs = new ArrayList<>();
              for (int rank = 0; rank < 4; rank++) { // a fifth rank is left out
                inputs.add(
                    rank == param.comm().rank()
                        ? res.paramInputMem()
                        : Sketch.link(res, rank).remote(PARAM_INPUT));
              }
              Stream main = res.mainStream();
              DeviceMem up = res.scratchMem().slice(0, 4);
              DeviceMem down = res.scratchMem().slice(4, 4);
              DeviceMem mixed = res.scratchMem().slice(8, 4);
              main.reduceFrom(up, inputs.subList(0, 3), param.dataType(), ReduceOp.SUM);
              main.reduceFrom(
                  down, inputs.subList(0, 3).reversed(), param.dataType(), ReduceOp.SUM);
              main.copy(mixed.slice(0, 2), up.slice(0, 2));
              main.copy(mixed.slice(2, 2), down.slice(2, 2));
              main.reduceFrom(
                  res.paramOutputMem(),
                  List.of(mixed, inputs.get(3)),
                  param.dataType(),
                  ReduceOp.SUM);
              Sketch.exchange(param.comm(), res, Link.FIN);
            });

    assertThat(
            check(
                executor,
                allReduce(4, WorkflowMode.GRAPH, DataType.INT32, 1, false),
                Determinism.SAME_SIZES))
        .isEmpty();
    assertThat(
            check(
                executor,
                allReduce(4, WorkflowMode.GRAPH, DataType.FLOAT32, 1, false),
                Determinism.NONE))
        .extracting(finding -> finding.rule().id())
        .containsExactly("SEM-1");
    assertThat(
            check(
                executor,
                allReduce(5, WorkflowMode.GRAPH, DataType.INT32, 1, false),
                Determinism.NONE))
        .first()
        .extracting(Finding::message)
        .asString()
        .contains("ranks 0 to 4; rank 4's element 0 is missing (and 4 more like it)");
  }

  private static List<Finding> check(GroupPlan plan, List<? extends @Nullable OpParam> params) {
    Findings findings = new Findings();
    SymbolCheck.check(
        FlatPlan.of(plan), params, SymbolOptions.of(Determinism.SAME_SIZES), findings);
    return findings.toList();
  }

  @Test
  void nestedPlans() {
    AllReduceParam param = allReduce(4, WorkflowMode.GRAPH, DataType.FLOAT32, 21, false);
    GroupPlan ring = Symbols.record(new Ring(), param);
    GroupPlan twice = GroupPlan.sequence("twice", List.of(ring, ring));

    Findings findings = new Findings();
    SymbolCheck.check(
        FlatPlan.of(twice),
        Symbols.params(param),
        SymbolOptions.of(Determinism.SAME_RANKS),
        findings);
    assertThat(findings.toList()).isEmpty();
  }

  @Test
  void ringsDoNotReduceEveryElementInOneOrder() {
    AllReduceParam param = allReduce(4, WorkflowMode.GRAPH, DataType.FLOAT32, 21, false);

    assertThat(check(new Ring(), param, Determinism.SAME_SIZES))
        .extracting(finding -> finding.rule().id())
        .containsExactly("DET-2");
  }
}
