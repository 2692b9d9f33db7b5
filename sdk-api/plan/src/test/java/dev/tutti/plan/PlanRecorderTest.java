package dev.tutti.plan;

import static dev.tutti.plan.Pair.IN;
import static dev.tutti.plan.Pair.OUT;
import static dev.tutti.plan.Refusal.assertRefused;
import static dev.tutti.plan.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.author.MarkedExecutor;
import dev.tutti.author.MarkedExecutor.Fault;
import dev.tutti.author.RingAllReduce;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Notify;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PlanRecorderTest {

  private static final String SCRIPTED =
      "orchestrate of dev.tutti.plan.ScriptedExecutor failed for rank 0";

  /** Asserts the error when rank 0 emits something wrong. */
  private static void assertRank0Refused(
      Consumer<Pair.Side> rank0, ErrorCode code, String message) {
    TuttiException refusal = refusalOf(() -> Pair.record(rank0, side -> {}));
    assertThat(refusal.getMessage()).startsWith(SCRIPTED).endsWith(": " + message);
    assertThat(refusal.code()).isEqualTo(code);
  }

  private static GroupPlan recordOne(
      AlgResourceRequest request, Consumer<AlgResourceResponse> body) {
    return new PlanRecorder()
        .withSources(false)
        .record(
            "one",
            new ScriptedExecutor(param -> request, (param, resources) -> body.accept(resources)),
            Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(1))));
  }

  private static void assertAloneRefused(
      AlgResourceRequest request,
      Consumer<AlgResourceResponse> body,
      ErrorCode code,
      String message) {
    TuttiException refusal = refusalOf(() -> recordOne(request, body));
    assertThat(refusal.getMessage()).endsWith(": " + message);
    assertThat(refusal.code()).isEqualTo(code);
  }

  // ---- what is recorded

  @Test
  void memoriesHaveTheSizesOfRequestAndResources() {
    RankPlan plan =
        recordOne(
                AlgResourceRequest.none().withScratchMemSize(100).withAivBufferSize(200),
                resources -> {})
            .rank(0);

    assertThat(plan.memSize(TransportMemType.PARAM_INPUT)).isEqualTo(64);
    assertThat(plan.memSize(TransportMemType.PARAM_OUTPUT)).isEqualTo(64);
    assertThat(plan.memSize(TransportMemType.CCL_INPUT)).isEqualTo(4 << 20);
    assertThat(plan.memSize(TransportMemType.CCL_OUTPUT)).isEqualTo(4 << 20);
    assertThat(plan.memSize(TransportMemType.SCRATCH)).isEqualTo(100);
    assertThat(plan.memSize(TransportMemType.AIV_INPUT)).isEqualTo(200);
    assertThat(plan.memSize(TransportMemType.AIV_OUTPUT)).isEqualTo(200);
  }

  @Test
  void everyRankIsAskedWithItsOwnViewOfTheRequest() {
    List<Integer> asked = new ArrayList<>();
    new PlanRecorder()
        .record(
            "views",
            new ScriptedExecutor(
                param -> {
                  asked.add(param.comm().rank());
                  return AlgResourceRequest.none();
                },
                (param, resources) -> asked.add(param.comm().rank())),
            Pair.PARAM.withComm(CommInfo.of(2, Topology.flat(3))));

    assertThat(asked).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void forkAndJoinPairTheMainStreamWithItsSlaves() {
    GroupPlan plan =
        recordOne(
            AlgResourceRequest.none().withStreamNum(2).withNotifyNum(5),
            resources -> {
              resources.mainStream().fork(resources.slaveStreams());
              resources.mainStream().join(resources.slaveStreams());
              resources.mainStream().post(resources.notifies().get(4));
            });

    assertThat(plan.rank(0))
        .hasToString(
            """
            rank 0: 9 actions on 3 streams
              0 s0 post notify 0
              1 s1 await notify 0
              2 s0 post notify 1
              3 s2 await notify 1
              4 s1 post notify 2
              5 s0 await notify 2
              6 s2 post notify 3
              7 s0 await notify 3
              8 s0 post notify 4""");
  }

  @Test
  void actionsOfZeroBytesLeaveNoTrace() {
    GroupPlan plan =
        recordOne(
            AlgResourceRequest.none(),
            resources -> {
              DeviceMem nothing = resources.paramOutputMem().slice(3, 0);
              DeviceMem source = resources.paramInputMem().slice(1, 0);
              resources.mainStream().copy(nothing, source);
              resources.mainStream().reduce(nothing, source, DataType.INT32, ReduceOp.SUM);
              resources
                  .mainStream()
                  .reduceFrom(nothing, List.of(source, source), DataType.INT32, ReduceOp.SUM);
            });

    assertThat(plan.actionCount()).isZero();
  }

  @Test
  void allActionsOfALinkAreRecorded() {
    GroupPlan plan =
        Pair.record(
            s -> {
              s.link().read(s.stream(), s.output(), s.link().remote(IN));
              s.link()
                  .readReduce(
                      s.stream(), s.output(), s.link().remote(IN), DataType.INT32, ReduceOp.MAX);
              s.link().write(s.stream(), s.link().remote(OUT), s.input());
              s.link()
                  .writeReduce(
                      s.stream(), s.link().remote(OUT), s.input(), DataType.INT32, ReduceOp.BOR);
              s.link().post(s.stream(), 3);
              s.link().await(s.stream(), 4);
              s.stream()
                  .reduceFrom(
                      s.output(),
                      List.of(s.output(), s.link().remote(IN)),
                      DataType.INT32,
                      ReduceOp.SUM);
            },
            s -> {});

    assertThat(Pair.actions(plan.rank(0)))
        .containsExactly(
            "copy param-output[0+64] = rank 1's param-input[0+64]",
            "reduce param-output[0+64] = max int32(itself, rank 1's param-input[0+64])",
            "copy rank 1's param-output[0+64] = param-input[0+64]",
            "reduce rank 1's param-output[0+64] = bor int32(itself, param-input[0+64])",
            "post notify 3 to rank 1",
            "await notify 4 from rank 1",
            "reduceFrom param-output[0+64] = sum int32(param-output[0+64], rank 1's"
                + " param-input[0+64])");
  }

  @Test
  void aGroupIsInPlaceForAllItsRanksOnceOneOfThemIs() {
    AllReduceParam inPlace =
        new AllReduceParam(
            Pair.COMM.withRank(1), "", AlgOptions.none(), DataType.INT32, ReduceOp.SUM, 16, true);
    ScriptedExecutor copies =
        new ScriptedExecutor(
            param -> AlgResourceRequest.none(),
            (param, resources) ->
                resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem()));
    List<RankProgram> programs =
        List.of(RankProgram.of(copies, Pair.PARAM), RankProgram.of(copies, inPlace));

    TuttiException refusal = refusalOf(() -> new PlanRecorder().record("in place", programs));
    assertThat(refusal.code()).isEqualTo(ErrorCode.BUFFER_OVERLAP);
    assertThat(refusal)
        .hasMessageStartingWith(SCRIPTED)
        .hasMessageEndingWith(
            "source and destination of one action must not overlap. Actual: rank 0 param-output[0,"
                + " 64) and rank 0 param-input[0, 64)");
  }

  @Test
  void aRankThatTakesNoPartHasAnEmptyPlan() {
    GroupPlan plan =
        new PlanRecorder()
            .record(
                "idle",
                List.of(RankProgram.idle(Pair.COMM), RankProgram.idle(Pair.COMM.withRank(1))));

    assertThat(plan.actionCount()).isZero();
    assertThat(plan.rank(1).memSize(OUT)).isZero();
    assertThat(RankProgram.idle(Pair.COMM).param()).isNull();
  }

  @Test
  void programsMustBeThoseOfAllRanksInOrder() {
    RankProgram rank0 = RankProgram.idle(Pair.COMM);
    RankProgram rank1 = RankProgram.idle(Pair.COMM.withRank(1));

    assertRefused(
        () -> new PlanRecorder().record("x", List.of(rank1, rank0)),
        ErrorCode.INVALID_ARGUMENT,
        "there must be one program for each rank, in rank order. Actual: program 0 of 2 is that of"
            + " rank 1 of 2");
    assertRefused(
        () -> new PlanRecorder().record("x", List.of(rank0)),
        ErrorCode.INVALID_ARGUMENT,
        "there must be one program for each rank, in rank order. Actual: program 0 of 1 is that of"
            + " rank 0 of 2");
  }

  // ---- memory

  @Test
  void memoryBeyondItsEndIsRefused() {
    assertRank0Refused(
        s -> s.stream().copy(new DeviceMem(0, OUT, 60, 8), s.input().slice(0, 8)),
        ErrorCode.OUT_OF_BOUNDS,
        "rank 0 param-output[60, 68) reaches beyond that memory, which has 64 bytes");
    assertRank0Refused(
        s -> s.link().read(s.stream(), s.output(), new DeviceMem(1, IN, 1, 64)),
        ErrorCode.OUT_OF_BOUNDS,
        "rank 1 param-input[1, 65) reaches beyond that memory, which has 64 bytes");
  }

  @Test
  void memoryThatWasNotAskedForIsRefused() {
    assertRank0Refused(
        s ->
            s.stream()
                .copy(new DeviceMem(0, TransportMemType.SCRATCH, 0, 1), s.input().slice(0, 1)),
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 scratch[0, 1) reaches beyond that memory, of which rank 0 asks for 0 bytes; ask for"
            + " it in calcScratchMemSize");
    assertAloneRefused(
        AlgResourceRequest.none().withAivBufferSize(8),
        resources ->
            resources
                .mainStream()
                .copy(
                    new DeviceMem(0, TransportMemType.AIV_INPUT, 8, 1),
                    resources.paramInputMem().slice(0, 1)),
        ErrorCode.OUT_OF_BOUNDS,
        "rank 0 aiv-input[8, 9) reaches beyond that memory, of which rank 0 asks for 8 bytes; ask"
            + " for more in calcAivBufferSize");
  }

  @Test
  void streamsAndNotifiesThatWereNotAskedForAreNamedAsSuch() {
    AlgResourceRequest two = AlgResourceRequest.none().withStreamNum(2).withNotifyNum(5);
    assertAloneRefused(
        two,
        resources -> resources.slaveStreams().get(2),
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 has 2 slave streams here, numbered from 0; ask for more in calcStreamNum. Actual:"
            + " number 2");
    assertAloneRefused(
        two,
        resources -> resources.notifies().get(5),
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 has 5 notifies here, numbered from 0; ask for more in calcNotifyNum. Actual: number"
            + " 5");
    for (Consumer<AlgResourceResponse> first :
        List.<Consumer<AlgResourceResponse>>of(
            resources -> resources.notifies().getFirst(),
            resources -> resources.notifies().getLast(),
            resources -> resources.notifiesMainToSlave().getFirst(),
            resources -> resources.notifiesSlaveToMain().getLast())) {
      assertAloneRefused(
          AlgResourceRequest.none(),
          first,
          ErrorCode.RESOURCE_MISMATCH,
          "rank 0 has 0 notifies here, numbered from 0; ask for more in calcNotifyNum. Actual:"
              + " number 0");
    }
  }

  @Test
  void streamsAndNotifiesThatWereAskedForAreThereInOrder() {
    recordOne(
        AlgResourceRequest.none().withStreamNum(2).withNotifyNum(5),
        resources -> {
          assertThat(resources.slaveStreams()).hasSize(2).doesNotHaveDuplicates();
          assertThat(resources.notifies()).hasSize(5).doesNotHaveDuplicates();
          assertThat(resources.notifiesMainToSlave()).isEqualTo(resources.notifies().subList(0, 2));
          assertThat(resources.notifiesSlaveToMain()).isEqualTo(resources.notifies().subList(2, 4));
          assertThat(resources.notifies().getFirst()).isEqualTo(resources.notifies().get(0));
          assertThat(resources.notifies().getLast()).isEqualTo(resources.notifies().get(4));
        });
  }

  @Test
  void spansOfDifferentSizesAreRefused() {
    assertRank0Refused(
        s -> s.stream().copy(s.output(), s.input().slice(0, 8)),
        ErrorCode.INVALID_ARGUMENT,
        "source and destination must have the same size. Actual: rank 0 param-output[0, 64) and"
            + " rank 0 param-input[0, 8)");
  }

  @Test
  void overlappingSpansAreRefused() {
    assertRank0Refused(
        s -> s.stream().copy(s.output().slice(0, 8), s.output().slice(4, 8)),
        ErrorCode.BUFFER_OVERLAP,
        "source and destination of one action must not overlap. Actual: rank 0 param-output[0, 8)"
            + " and rank 0 param-output[4, 12)");
    assertRank0Refused(
        s ->
            s.stream()
                .reduceFrom(
                    s.output().slice(0, 8),
                    List.of(s.input().slice(0, 8), s.output().slice(4, 8)),
                    DataType.INT32,
                    ReduceOp.SUM),
        ErrorCode.BUFFER_OVERLAP,
        "source and destination of one action must not overlap. Actual: rank 0 param-output[0, 8)"
            + " and rank 0 param-output[4, 12)");
  }

  @Test
  void aReductionOfHalfAnElementIsRefused() {
    assertRank0Refused(
        s ->
            s.stream()
                .reduce(
                    s.output().slice(0, 6), s.input().slice(0, 6), DataType.INT32, ReduceOp.SUM),
        ErrorCode.INVALID_ARGUMENT,
        "a reduction of int32 must cover whole elements of 4 bytes. Actual: 6 bytes");
    assertRank0Refused(
        s -> s.stream().reduce(s.output(), s.input(), DataType.FLOAT32, ReduceOp.BAND),
        ErrorCode.UNSUPPORTED_TYPE,
        "reduction band takes integer types only. Actual: type=float32; use sum, prod, max or min,"
            + " or an integer type");
  }

  @Test
  void aFusedReductionOfOneSourceIsACopy() {
    GroupPlan plan =
        Pair.record(
            s -> {
              s.stream().reduceFrom(s.output(), List.of(s.input()), DataType.INT32, ReduceOp.SUM);
              s.stream().reduceFrom(s.output(), List.of(s.output()), DataType.INT32, ReduceOp.SUM);
            },
            s -> {});

    assertThat(Pair.actions(plan.rank(0)))
        .containsExactly("copy param-output[0+64] = param-input[0+64]");
  }

  @Test
  void aFusedReductionOfNothingIsRefused() {
    assertRank0Refused(
        s -> s.stream().reduceFrom(s.output(), List.of(), DataType.INT32, ReduceOp.SUM),
        ErrorCode.INVALID_ARGUMENT,
        "reduceFrom needs one source or more. Actual: none");
  }

  @Test
  void theSamePlaceAtThePeerHasEqualKindOffsetAndSize() {
    GroupPlan plan =
        Pair.record(
            s -> {
              DeviceMem part = s.output().slice(8, 4);
              s.link().read(s.stream(), s.input().slice(8, 4), s.link().remote(part));
              s.link().rxAsync(s.stream(), part);
              s.link().rxWithReduce(s.stream(), part, DataType.INT32, ReduceOp.SUM);
              s.link().txAsync(s.stream(), part);
              s.link().txWithReduce(s.stream(), part, DataType.INT32, ReduceOp.SUM);
            },
            s -> {});

    assertThat(Pair.actions(plan.rank(0)))
        .containsExactly(
            "copy param-input[8+4] = rank 1's param-output[8+4]",
            "await FIN from rank 1",
            "copy param-output[8+4] = rank 1's param-output[8+4]",
            "await FIN from rank 1",
            "reduce param-output[8+4] = sum int32(itself, rank 1's param-output[8+4])",
            "post FIN to rank 1",
            "post FIN to rank 1");
  }

  @Test
  void leftAndRightAreTheNeighboursAroundTheRing() {
    List<Integer> neighbours = new ArrayList<>();
    new PlanRecorder()
        .record(
            "ring",
            new ScriptedExecutor(
                param ->
                    AlgResourceRequest.of(
                        OpCommTransport.ring(param.comm(), CommPlane.COMBINED, IN, OUT)),
                (param, resources) -> {
                  neighbours.add(resources.subComm(CommPlane.COMBINED).left().remoteUserRank());
                  neighbours.add(resources.subComm(CommPlane.COMBINED).right().remoteUserRank());
                }),
            Pair.PARAM.withComm(CommInfo.of(0, Topology.flat(3))));

    assertThat(neighbours).containsExactly(2, 1, 0, 2, 1, 0);
  }

  @Test
  void anotherRanksMemoryIsRefusedWhereOnlyLocalMemoryMayStand() {
    assertRank0Refused(
        s -> s.stream().copy(s.output(), s.link().remote(IN)),
        ErrorCode.RESOURCE_MISMATCH,
        "the source of a copy must be memory of rank 0. Actual: rank 1 param-input[0, 64)");
    assertRank0Refused(
        s -> s.stream().copy(s.link().remote(OUT), s.input()),
        ErrorCode.RESOURCE_MISMATCH,
        "the destination of a copy must be memory of rank 0. Actual: rank 1 param-output[0, 64)");
    assertRank0Refused(
        s -> s.link().read(s.stream(), s.link().remote(OUT), s.link().remote(IN)),
        ErrorCode.RESOURCE_MISMATCH,
        "the destination of a read must be memory of rank 0. Actual: rank 1 param-output[0, 64)");
    assertRank0Refused(
        s -> s.link().write(s.stream(), s.output(), s.input()),
        ErrorCode.RESOURCE_MISMATCH,
        "the destination of a write must be memory of rank 1. Actual: rank 0 param-output[0, 64)");
  }

  @Test
  void peerMemoryThatTheLinkDoesNotRegisterIsRefused() {
    assertRank0Refused(
        s -> s.link().remote(TransportMemType.CCL_INPUT),
        ErrorCode.RESOURCE_MISMATCH,
        "the link from rank 0 to rank 1 registers param-input and param-output memory. Actual:"
            + " ccl-input; ask for it in calcResRequest");
    DeviceMem ccl = new DeviceMem(1, TransportMemType.CCL_INPUT, 0, 64);
    assertRank0Refused(
        s -> s.link().read(s.stream(), s.output(), ccl),
        ErrorCode.RESOURCE_MISMATCH,
        "the link from rank 0 to rank 1 registers param-input and param-output memory. Actual:"
            + " ccl-input; ask for it in calcResRequest");
    assertRank0Refused(
        s ->
            s.stream()
                .reduceFrom(s.output(), List.of(s.input(), ccl), DataType.INT32, ReduceOp.SUM),
        ErrorCode.RESOURCE_MISMATCH,
        "reduceFrom may load from rank 1 ccl-input[0, 64) only over a direct link that registers"
            + " that memory; rank 0 asked for none; ask for one in calcCommInfo, or read the"
            + " memory first");
  }

  // ---- streams, notifies and links

  @Test
  void aStreamOfAnotherRankIsRefused() {
    Stream[] foreign = new Stream[1];
    TuttiException refusal =
        refusalOf(
            () ->
                Pair.record(
                    s -> foreign[0] = s.stream(), s -> s.link().post(foreign[0], Link.READY)));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_MISMATCH);
    assertThat(refusal)
        .hasMessageEndingWith(
            "rank 1 can only use its own streams, and only while it orchestrates");
  }

  @Test
  void aNotifyOfAnotherRankIsRefused() {
    Notify[] foreign = new Notify[1];
    TuttiException refusal =
        refusalOf(
            () ->
                Pair.record(
                    s -> foreign[0] = s.resources().notifies().getFirst(),
                    s -> s.stream().post(foreign[0])));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RESOURCE_MISMATCH);
    assertThat(refusal)
        .hasMessageContaining("a stream of rank 1 can only use notifies of its own rank. Actual: ");
  }

  @Test
  void aNotifyThatALinkDoesNotHaveIsRefused() {
    assertRank0Refused(
        s -> s.link().post(s.stream(), 5),
        ErrorCode.RESOURCE_MISMATCH,
        "the link from rank 0 to rank 1 has notifies 0 to 4; ask for more with notifyNum. Actual: 5");
    assertRank0Refused(
        s -> s.link().await(s.stream(), -1),
        ErrorCode.RESOURCE_MISMATCH,
        "the link from rank 0 to rank 1 has notifies 0 to 4; ask for more with notifyNum. Actual:"
            + " -1");
  }

  @Test
  void linksAndSubCommunicatorsThatWereNotAskedForAreRefused() {
    assertRank0Refused(
        s -> s.resources().subComm(CommPlane.LEVEL1),
        ErrorCode.RESOURCE_MISMATCH,
        "sub-communicator 0 of level1 was not asked for; add it to calcResRequest of rank 0");
    assertRank0Refused(
        s -> s.resources().subComm(CommPlane.COMBINED, 1),
        ErrorCode.RESOURCE_MISMATCH,
        "sub-communicator 1 of combined was not asked for; add it to calcResRequest of rank 0");
    assertRank0Refused(
        s -> s.resources().subComm(CommPlane.COMBINED).link(0),
        ErrorCode.RESOURCE_MISMATCH,
        "rank 0 has no link to rank 0 in combined; ask for it in calcResRequest");
    assertRank0Refused(
        s -> s.resources().subComm(CommPlane.COMBINED).link(2),
        ErrorCode.INVALID_RANK,
        "sub-communicator rank must be 0 to 1. Actual: 2");
  }

  @Test
  void onlyTheMainStreamForks() {
    assertRank0Refused(
        s -> s.resources().slaveStreams().getFirst().fork(List.of()),
        ErrorCode.INVALID_ARGUMENT,
        "only the main stream can fork. Actual: stream 1");
  }

  @Test
  void forkingTheMainStreamItselfIsRefused() {
    assertRank0Refused(
        s -> s.stream().fork(List.of(s.stream())),
        ErrorCode.INVALID_ARGUMENT,
        "only slave streams can be forked and joined. Actual: the main stream");
  }

  @Test
  void keepingResourcesAfterOrchestrateIsRefused() {
    AlgResourceResponse[] kept = new AlgResourceResponse[1];
    recordOne(AlgResourceRequest.none(), resources -> kept[0] = resources);

    assertRefused(
        () -> kept[0].mainStream().copy(kept[0].paramOutputMem(), kept[0].paramInputMem()),
        ErrorCode.INVALID_STATE,
        "rank 0 emitted an action after orchestrate had returned; executors must not keep"
            + " resources");
  }

  // ---- executors that fail

  @Test
  void nullFromCalcResRequestIsRefused() {
    assertRefused(
        () ->
            new PlanRecorder()
                .record("null", new ScriptedExecutor(p -> null, (p, r) -> {}), Pair.PARAM),
        ErrorCode.EXECUTOR_FAILED,
        "calcResRequest of dev.tutti.plan.ScriptedExecutor returned null for rank 0; return"
            + " AlgResourceRequest.none() if nothing is needed");
  }

  @Test
  void noTransportAtAllIsAFailureOfTheExecutor() {
    TuttiException refusal =
        refusalOf(
            () ->
                new PlanRecorder()
                    .record(
                        "null",
                        new ScriptedExecutor(p -> AlgResourceRequest.of(null), (p, r) -> {}),
                        Pair.PARAM));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("opTransport must not be null");
  }

  @Test
  void anExecutorThatThrowsIsNamedWithMethodRankAndLine() {
    MarkedExecutor executor = new MarkedExecutor(Fault.KERNEL_RUN);
    TuttiException refusal = refusalOf(() -> new PlanRecorder().record("x", executor, Pair.PARAM));

    assertThat(refusal.code()).isEqualTo(ErrorCode.EXECUTOR_FAILED);
    assertThat(refusal)
        .hasMessage(
            "orchestrate of dev.tutti.author.MarkedExecutor failed for rank 0 at "
                + executor.line("kernelRun")
                + ": java.lang.IllegalStateException: 100% wrong")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void anExecutorThatThrowsInItsRequestIsNamedWithMethodRankAndLine() {
    MarkedExecutor executor = new MarkedExecutor(Fault.CALC_RES_REQUEST);

    assertRefused(
        () -> new PlanRecorder().record("x", executor, Pair.PARAM),
        ErrorCode.EXECUTOR_FAILED,
        "calcResRequest of dev.tutti.author.MarkedExecutor failed for rank 0 at "
            + executorLine(executor)
            + ": java.lang.IllegalStateException: 100% wrong");
  }

  private static String executorLine(MarkedExecutor executor) {
    refusalOf(() -> new PlanRecorder().record("x", executor, Pair.PARAM));
    return executor.line("calcResRequest");
  }

  @Test
  void endlessRecursionIsAFailureOfTheExecutor() {
    TuttiException refusal =
        refusalOf(() -> recordOne(AlgResourceRequest.none(), PlanRecorderTest::recurse));

    assertThat(refusal.code()).isEqualTo(ErrorCode.EXECUTOR_FAILED);
    assertThat(refusal).hasMessageEndingWith("java.lang.StackOverflowError");
  }

  private static void recurse(AlgResourceResponse resources) {
    if (resources.mainStream().id() == 0) {
      recurse(resources);
    }
  }

  @Test
  void endlessEmissionIsRefused() {
    ScriptedExecutor endless =
        new ScriptedExecutor(
            param -> AlgResourceRequest.none().withStreamNum(1),
            (param, resources) -> {
              while (true) {
                resources.mainStream().post(resources.notifies().getFirst());
              }
            });
    TuttiException refusal =
        refusalOf(
            () ->
                new PlanRecorder()
                    .withSources(false)
                    .withMaxActions(1000)
                    .record("endless", endless, Pair.PARAM));

    assertThat(refusal.code()).isEqualTo(ErrorCode.PLAN_TOO_LARGE);
    assertThat(refusal)
        .hasMessageEndingWith("rank 0 emitted more than 1000 actions; is there an endless loop?");
  }

  // ---- source lines

  @Test
  void sourceLinesPointAtTheAuthorsLine() {
    MarkedExecutor executor = new MarkedExecutor(Fault.NONE);
    RankPlan plan = new PlanRecorder().record("lines", executor, Pair.PARAM).rank(1);

    assertThat(plan.hasSources()).isTrue();
    assertThat(plan.source(0)).isEqualTo(executor.line("kernelRun"));
  }

  @Test
  void whatABaseClassEmitsHasItsLineThere() {
    MarkedExecutor executor = new MarkedExecutor(Fault.NONE);
    RankPlan plan =
        new PlanRecorder()
            .record(
                "lines", executor, Pair.PARAM.withComm(Pair.COMM.withMode(WorkflowMode.OP_BASE)))
            .rank(0);

    assertThat(plan.source(0))
        .matches("NativeExecutorBase\\.runRound\\(NativeExecutorBase\\.java:\\d+\\)");
    assertThat(plan.source(1)).isEqualTo(executor.line("kernelRun"));
  }

  @Test
  void pairedVerbsHaveTheLineOfTheirCall() {
    RankPlan plan = new PlanRecorder().record("lines", new RingAllReduce(), Pair.PARAM).rank(0);

    assertThat(plan.kind(4)).isEqualTo(ActionKind.AWAIT);
    assertThat(plan.kind(5)).isEqualTo(ActionKind.REDUCE);
    assertThat(plan.source(4))
        .isEqualTo(plan.source(5))
        .matches("RingAllReduce\\.orchestrate\\(RingAllReduce\\.java:\\d+\\)");
  }

  @Test
  void withoutSourcesEveryLineIsUnknown() {
    RankPlan plan =
        new PlanRecorder()
            .withSources(false)
            .record("lines", new MarkedExecutor(Fault.NONE), Pair.PARAM)
            .rank(0);

    assertThat(plan.hasSources()).isFalse();
    assertThat(plan.source(0)).isEqualTo("?");
  }
}
