package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Each executor here has one mistake and breaks one rule. */
class BrokenAlgorithmsTest {

  private static final int RANKS = 3;

  private final VirtualCluster cluster =
      VirtualCluster.builder(Topology.flat(RANKS))
          .schedules(6)
          .cclBufferSize(4096)
          .shrink(false)
          .build();

  private Report allReduce(CollExecutorBase<AllReduceParam> executor) {
    return cluster.check(
        executor, new AllReduceParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 40));
  }

  private Report barrier(BiConsumer<BarrierParam, AlgResourceResponse> orchestrate) {
    return cluster.check(new Sketch<>(Sketch::mesh, orchestrate), new BarrierParam(cluster.comm()));
  }

  /** Direct all-reduce, out of place only, with a chosen start and end. */
  private static Sketch<AllReduceParam> direct(
      BiConsumer<AllReduceParam, AlgResourceResponse> start,
      BiConsumer<AllReduceParam, AlgResourceResponse> end) {
    return new Sketch<>(
        param -> Support.when(!param.inPlace(), "runs out of place only"),
        Sketch::mesh,
        (param, res) -> {
          start.accept(param, res);
          Algorithms.reduceAllInputs(param, res, res.paramOutputMem());
          end.accept(param, res);
        });
  }

  private static void ready(AllReduceParam param, AlgResourceResponse res) {
    Sketch.exchange(param.comm(), res, Link.READY);
  }

  private static void fin(AllReduceParam param, AlgResourceResponse res) {
    Sketch.exchange(param.comm(), res, Link.FIN);
  }

  @Test
  void theFrameOfTheBrokenOnesIsClean() {
    assertThat(allReduce(direct(BrokenAlgorithmsTest::ready, BrokenAlgorithmsTest::fin)).findings())
        .isEmpty();
  }

  @Test
  void awaitingTheWrongNeighbourIsADeadlockShownAsACycle() {
    Report report =
        barrier(
            (param, res) -> {
              int rank = param.comm().rank();
              Link next = Sketch.link(res, (rank + 1) % RANKS);
              Link previous = Sketch.link(res, (rank + RANKS - 1) % RANKS);
              previous.await(res.mainStream(), Link.READY);
              next.post(res.mainStream(), Link.READY);
            });

    assertThat(report.rules()).containsExactly("SYN-1");
    assertThat(report.findings().getFirst().message())
        .startsWith("a cycle of waits: rank 0 stream 0 'await READY from rank 2' at")
        .contains("BrokenAlgorithmsTest.java:")
        .contains("waits for rank 2 stream 0, rank 2 stream 0 'await READY from rank 1'")
        .endsWith("waits for rank 0 stream 0");
  }

  @Test
  void awaitingWhatNobodyPostsIsADeadlockThatNamesTheAwait() {
    Report report =
        barrier(
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              if (param.comm().rank() == 1) {
                Sketch.link(res, 2).await(res.mainStream(), Link.FIN);
              }
            });

    assertThat(report.rules()).containsExactly("SYN-1");
    assertThat(report.findings().getFirst().message())
        .startsWith("rank 1 stream 0 'await FIN from rank 2'")
        .endsWith(", which nobody posts");
  }

  @Test
  void postingTwiceBeforeTheAwaitLosesASignal() {
    Report report =
        barrier(
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              Link link = Sketch.link(res, (param.comm().rank() + 1) % RANKS);
              Link back = Sketch.link(res, (param.comm().rank() + RANKS - 1) % RANKS);
              link.post(res.mainStream(), Link.FIN);
              link.post(res.mainStream(), Link.FIN);
              back.await(res.mainStream(), Link.FIN);
              back.await(res.mainStream(), Link.FIN);
              Sketch.exchange(param.comm(), res, Link.FIN_ACK);
            });

    assertThat(report.rules()).containsExactly("SYN-2");
  }

  @Test
  void aForgottenAwaitLeavesANotifyOver() {
    Report report =
        barrier(
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              Sketch.exchange(param.comm(), res, Link.FIN_ACK);
              if (param.comm().rank() == 0) {
                Sketch.link(res, 1).post(res.mainStream(), Link.FIN);
              }
            });

    assertThat(report.rules()).containsExactly("SYN-3");
    assertThat(report.findings().getFirst().message())
        .contains("rank 0 stream 0 'post FIN to rank 1'")
        .contains("is never awaited: 1 signal left over");
  }

  @Test
  void twoStreamsThatAwaitOneNotifyMayStealFromEachOther() {
    CollExecutorBase<BarrierParam> stealing =
        new Sketch<>(
            param -> Sketch.mesh(param).withStreamNum(1),
            (param, res) -> {
              Stream main = res.mainStream();
              Stream slave = res.slaveStreams().getFirst();
              Link next = Sketch.link(res, (param.comm().rank() + 1) % RANKS);
              Link previous = Sketch.link(res, (param.comm().rank() + RANKS - 1) % RANKS);
              next.post(main, Link.READY);
              main.fork(res.slaveStreams());
              // The second post follows the first await, but either await may be the first.
              previous.await(main, Link.READY);
              previous.post(main, Link.FIN);
              next.await(main, Link.FIN);
              next.post(main, Link.READY);
              previous.await(slave, Link.READY);
              main.join(res.slaveStreams());
            });

    assertThat(cluster.check(stealing, new BarrierParam(cluster.comm())).rules()).contains("SYN-4");
  }

  @Test
  void aSlaveStreamThatDoesNotAwaitTheMainStreamIsReported() {
    CollExecutorBase<AllReduceParam> unforked =
        new Sketch<>(
            param -> AlgResourceRequest.none().withStreamNum(1),
            (param, res) -> {
              Stream slave = res.slaveStreams().getFirst();
              slave.copy(res.paramOutputMem(), res.paramInputMem());
              res.mainStream().join(res.slaveStreams());
            });
    VirtualCluster one =
        VirtualCluster.builder(Topology.flat(1)).bothWays(false).shrink(false).build();

    Report report =
        one.check(unforked, new AllReduceParam(one.comm(), DataType.INT32, ReduceOp.SUM, 40));

    assertThat(report.rules()).containsExactly("SYN-5");
    assertThat(report.toString()).contains("let the stream start with an await of the main stream");
  }

  /** The actions of such a stream still belong to the call, so there is no second finding. */
  @Test
  void aSlaveStreamThatDoesNotAwaitTheMainStreamIsStillInsideTheCall() {
    CollExecutorBase<AllReduceParam> unforked =
        new Sketch<>(
            param -> Support.when(!param.inPlace(), "runs out of place only"),
            param -> Sketch.mesh(param).withStreamNum(1),
            (param, res) -> {
              Stream slave = res.slaveStreams().getFirst();
              for (Link link : Sketch.links(param.comm(), res)) {
                link.post(slave, Link.READY);
                link.await(res.mainStream(), Link.READY);
              }
              Algorithms.reduceAllInputs(param, res, res.paramOutputMem());
              fin(param, res);
              res.mainStream().join(res.slaveStreams());
            });

    assertThat(allReduce(unforked).rules()).containsExactly("SYN-5");
  }

  @Test
  void sayingThatDataIsTakenBeforeItIsLetsTheOwnerLeaveTooEarly() {
    CollExecutorBase<AllReduceParam> liar =
        new Sketch<>(
            param -> Support.when(!param.inPlace(), "runs out of place only"),
            Sketch::mesh,
            (param, res) -> {
              ready(param, res);
              Sketch.links(param.comm(), res)
                  .forEach(link -> link.post(res.mainStream(), Link.FIN));
              Algorithms.reduceAllInputs(param, res, res.paramOutputMem());
              Sketch.links(param.comm(), res)
                  .forEach(link -> link.await(res.mainStream(), Link.FIN));
            });

    assertThat(allReduce(liar).rules()).containsExactly("MEM-2");
  }

  @Test
  void overwritingTheInputInPlaceWhileAPeerReadsItIsARace() {
    CollExecutorBase<AllReduceParam> hasty =
        new Sketch<>(
            Sketch::mesh,
            (param, res) -> {
              ready(param, res);
              Algorithms.reduceAllInputs(param, res, res.paramOutputMem());
              fin(param, res);
            });

    Report report = allReduce(hasty);

    assertThat(report.rules()).startsWith("MEM-1").doesNotContain("MEM-2", "SYN-1");
    assertThat(report.findings().getFirst().message())
        .contains("in-place buffer[0, 160)")
        .contains("and nothing orders them")
        .endsWith("[in place]");
  }

  @Test
  void aMissingClosingSyncLetsAPeerReadAfterTheCallHasReturned() {
    Report report = allReduce(direct(BrokenAlgorithmsTest::ready, (param, res) -> {}));

    assertThat(report.rules()).containsExactlyInAnyOrder("MEM-2", "SEQ-2");
    assertThat(report.findings().getFirst().message())
        .contains("after the operation has returned")
        .contains("owns it");
  }

  @Test
  void aMissingOpeningSyncLetsAPeerReadBeforeTheRankHasEntered() {
    Report report = allReduce(direct((param, res) -> {}, BrokenAlgorithmsTest::fin));

    assertThat(report.rules()).containsExactlyInAnyOrder("MEM-2", "SEQ-2");
    assertThat(report.findings().getFirst().message()).contains("before the operation");
  }

  @Test
  void stagingMemoryThatTheNextOperationOverwritesIsReported() {
    CollExecutorBase<BroadcastParam> push =
        new Sketch<>(
            param -> Support.when(!param.inPlace(), "runs out of place only"),
            param -> Sketch.mesh(param, TransportMemType.CCL_INPUT, TransportMemType.CCL_OUTPUT),
            (param, res) -> {
              Stream main = res.mainStream();
              long bytes = param.outputBytes();
              if (param.comm().rank() == param.root()) {
                for (Link link : Sketch.links(param.comm(), res)) {
                  DeviceMem there = link.remote(TransportMemType.CCL_OUTPUT).slice(0, bytes);
                  link.write(main, there, res.paramInputMem());
                  link.post(main, Link.FIN);
                }
                main.copy(res.paramOutputMem(), res.paramInputMem());
              } else {
                Sketch.link(res, param.root()).await(main, Link.FIN);
                main.copy(res.paramOutputMem(), res.cclOutputMem().slice(0, bytes));
              }
            });
    Report report = cluster.check(push, new BroadcastParam(cluster.comm(), DataType.INT32, 40, 0));

    // The root also gets no acknowledgement of its signal, and a link is not used.
    assertThat(report.rules()).containsExactlyInAnyOrder("SEQ-1", "SEQ-2", "RES-1");
  }

  @Test
  void inOpBaseModeTheBuffersOfPeersArePrivate() {
    VirtualCluster opBase =
        VirtualCluster.builder(Topology.flat(2)).mode(WorkflowMode.OP_BASE).shrink(false).build();

    Report report =
        opBase.check(
            direct(BrokenAlgorithmsTest::ready, BrokenAlgorithmsTest::fin),
            new AllReduceParam(opBase.comm(), DataType.INT32, ReduceOp.SUM, 40));

    assertThat(report.rules()).containsExactly("LNK-2");
  }

  @Test
  void aWrongSliceGivesWrongContents() {
    CollExecutorBase<AllReduceParam> shifted =
        direct(
            BrokenAlgorithmsTest::ready,
            (param, res) -> {
              DeviceMem out = res.paramOutputMem();
              res.mainStream().copy(out.slice(0, 4), out.slice(4, 4));
              fin(param, res);
            });

    Report report = allReduce(shifted);

    assertThat(report.rules()).containsExactly("SEM-1");
    assertThat(report.findings().getFirst().message())
        .startsWith("rank 0's output element 0: expected the sum of element 0 of ranks 0 to 2");
  }

  @Test
  void writingToTheInputIsReportedUnlessInPlace() {
    CollExecutorBase<AllReduceParam> scribbling =
        direct(
            BrokenAlgorithmsTest::ready,
            (param, res) -> {
              fin(param, res);
              res.mainStream().copy(res.paramInputMem(), res.paramOutputMem());
            });

    assertThat(allReduce(scribbling).rules()).containsExactly("SEM-4");
  }

  @Test
  void writingToAnOutputThatMustStayAsItIsIsReported() {
    CollExecutorBase<ExclusiveScanParam> good = Algorithms.chainScan();
    CollExecutorBase<ExclusiveScanParam> eager =
        new Sketch<>(
            good::calcResRequest,
            (param, res) -> {
              good.orchestrate(param, res);
              if (param.comm().rank() == 0 && !param.inPlace()) {
                res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
              }
            });

    Report report =
        cluster.check(
            eager, new ExclusiveScanParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 40));

    assertThat(report.rules()).containsExactly("SEM-5");
  }

  @Test
  void aBufferThatMustStayAsItIsCountsAsInputInPlace() {
    CollExecutorBase<ExclusiveScanParam> good = Algorithms.chainScan();
    CollExecutorBase<ExclusiveScanParam> eager =
        new Sketch<>(
            good::calcResRequest,
            (param, res) -> {
              good.orchestrate(param, res);
              if (param.comm().rank() == 0 && param.inPlace()) {
                res.mainStream()
                    .copy(res.paramOutputMem().slice(0, 4), res.scratchMem().slice(4, 4));
              }
            });

    Report report =
        cluster.check(
            eager, new ExclusiveScanParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 40));

    assertThat(report.rules()).containsExactly("SEM-4");
    assertThat(report.findings().getFirst().message()).contains("[in place]");
  }

  @Test
  void scratchStreamsAndNotifiesThatAreNotUsedAreReported() {
    CollExecutorBase<AllReduceParam> wasteful =
        new Sketch<>(
            param ->
                AlgResourceRequest.of(
                        OpCommTransport.builder(param.comm())
                            .notifyNum(5)
                            .mesh(
                                CommPlane.COMBINED,
                                TransportMemType.PARAM_INPUT,
                                TransportMemType.SCRATCH)
                            .build())
                    .withStreamNum(1)
                    .withNotifyNum(3)
                    .withScratchMemSize(1000),
            (param, res) -> {
              ready(param, res);
              Algorithms.reduceAllInputs(param, res, res.scratchMem().slice(0, 160));
              fin(param, res);
              res.mainStream().copy(res.paramOutputMem(), res.scratchMem().slice(0, 160));
            });

    assertThat(allReduce(wasteful).findings())
        .extracting(Finding::toString)
        .containsExactly(
            "RES-1 resource not used: rank 0 asks for slave stream 1 and never uses it; ask for"
                + " fewer in calcStreamNum (and 2 more like it)",
            "RES-1 resource not used: rank 0 asks for notify 2 and never uses it; ask for fewer in"
                + " calcNotifyNum (and 2 more like it)",
            "RES-1 resource not used: rank 0 asks for 5 notifies on the link to rank 1, and neither"
                + " end uses notifies 3 to 4; ask for 3 with notifyNum (and 5 more like it)",
            "RES-1 resource not used: the ranks ask for up to 1000 bytes of scratch memory, and use"
                + " no more than 160; ask for fewer in calcScratchMemSize");
  }

  @Test
  void aivMemoriesAreOfOneSizeSoThatOneOfThemMustNeedIt() {
    assertThat(allReduce(aivUser(160, 160)).findings()).isEmpty();
    assertThat(allReduce(aivUser(164, 160)).findings())
        .extracting(Finding::toString)
        .containsExactly(
            "RES-1 resource not used: the ranks ask for up to 164 bytes of aiv-input and aiv-output"
                + " memory, and use no more than 160; ask for fewer in calcAivBufferSize");
  }

  /** Combines all inputs in the first AIV memory, and leaves the second alone. */
  private static CollExecutorBase<AllReduceParam> aivUser(long asked, long used) {
    return new Sketch<>(
        param ->
            AlgResourceRequest.of(
                    OpCommTransport.mesh(
                        param.comm(),
                        CommPlane.COMBINED,
                        TransportMemType.PARAM_INPUT,
                        TransportMemType.AIV_INPUT))
                .withAivBufferSize(asked),
        (param, res) -> {
          ready(param, res);
          Algorithms.reduceAllInputs(param, res, res.aivInputMem().slice(0, used));
          fin(param, res);
          res.mainStream().copy(res.paramOutputMem(), res.aivInputMem().slice(0, used));
        });
  }

  @Test
  void theOneNotifyOfALinkThatIsNotUsedIsNamed() {
    Report report =
        allReduce(
            new Sketch<>(
                param ->
                    AlgResourceRequest.of(
                            OpCommTransport.builder(param.comm())
                                .notifyNum(6)
                                .mesh(
                                    CommPlane.COMBINED,
                                    TransportMemType.PARAM_INPUT,
                                    TransportMemType.SCRATCH)
                                .build())
                        .withScratchMemSize(160),
                (param, res) -> {
                  Sketch.links(param.comm(), res).forEach(link -> link.post(res.mainStream(), 4));
                  Sketch.links(param.comm(), res).forEach(link -> link.await(res.mainStream(), 4));
                  Algorithms.reduceAllInputs(param, res, res.scratchMem());
                  fin(param, res);
                  res.mainStream().copy(res.paramOutputMem(), res.scratchMem());
                }));

    assertThat(report.findings())
        .extracting(Finding::toString)
        .containsExactly(
            "RES-1 resource not used: rank 0 asks for 6 notifies on the link to rank 1, and neither"
                + " end uses notify 5; ask for 5 with notifyNum (and 5 more like it)");
  }

  @Test
  void scratchMemoryThatWasNotAskedForIsNoErrorOfBounds() {
    Report report =
        allReduce(
            new Sketch<>(
                param ->
                    AlgResourceRequest.of(
                        OpCommTransport.mesh(
                            param.comm(),
                            CommPlane.COMBINED,
                            TransportMemType.PARAM_INPUT,
                            TransportMemType.PARAM_OUTPUT)),
                (param, res) ->
                    res.mainStream()
                        .copy(res.scratchMem().slice(0, 8), res.paramInputMem().slice(0, 8))));

    assertThat(report.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo(Rule.NOT_REQUESTED);
              assertThat(finding.message())
                  .endsWith(
                      ": rank 0 has 0 bytes of scratch memory here; ask for it in"
                          + " calcScratchMemSize. Actual slice: offset=0, size=8 (and 1 more like"
                          + " it)");
            });
  }

  @Test
  void aLinkThatNeitherEndUsesIsReported() {
    Report report =
        barrier(
            (param, res) -> {
              if (param.comm().rank() > 0) {
                Link link = Sketch.link(res, 0);
                link.post(res.mainStream(), Link.READY);
                link.await(res.mainStream(), Link.READY);
              } else {
                List<Link> links = Sketch.links(param.comm(), res);
                links.forEach(link -> link.await(res.mainStream(), Link.READY));
                links.forEach(link -> link.post(res.mainStream(), Link.READY));
              }
            });

    assertThat(report.findings())
        .containsExactly(
            new Finding(
                Rule.UNUSED,
                "rank 1 asks for a link to rank 2 and never uses it; leave it out in calcCommInfo"
                    + " (and 1 more like it)"));
  }

  @Test
  void anExecutorWithAMemoryIsNotPure() {
    AtomicInteger calls = new AtomicInteger();
    Report report =
        barrier(
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              Sketch.exchange(param.comm(), res, Link.FIN);
              if (calls.getAndIncrement() >= RANKS) {
                Sketch.exchange(param.comm(), res, Link.FIN_ACK);
              }
            });

    assertThat(report.rules()).containsExactly("PUR-1");
  }

  @Test
  void supportsMustBeTheSameOnEveryRank() {
    CollExecutorBase<BarrierParam> moody =
        new Sketch<>(
            param -> Support.when(param.comm().rank() != 1, "rank 1 does not like it"),
            Sketch::mesh,
            (param, res) -> Sketch.exchange(param.comm(), res, Link.READY));

    Report report = cluster.check(moody, new BarrierParam(cluster.comm()));

    assertThat(report.rules()).containsExactly("PUR-2");
    assertThat(report.findings().getFirst().message())
        .isEqualTo(
            "supports must be the same on every rank. Actual: rank 0 says yes, rank 1 says no"
                + " (rank 1 does not like it)");
  }

  @Test
  void aRefusedRequestIsNeverReportedAsClean() {
    CollExecutorBase<BarrierParam> picky =
        new Sketch<>(param -> Support.no("never"), Sketch::mesh, (param, res) -> {});

    Report report = cluster.check(picky, new BarrierParam(cluster.comm()));

    assertThat(report.rules()).containsExactly("CAP-1");
    assertThatThrownBy(report::requireClean)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("CAP-1 request refused: nothing was checked: never");
  }

  @Test
  void whatCannotBePlannedNamesTheRuleOfTheError() {
    CollExecutorBase<BarrierParam> throwing =
        new Sketch<>(
            Sketch::mesh,
            (param, res) -> {
              throw new IllegalStateException("no idea");
            });
    CollExecutorBase<BarrierParam> unasked =
        new Sketch<>(param -> AlgResourceRequest.none(), (param, res) -> Sketch.link(res, 0));
    CollExecutorBase<BarrierParam> oneSided =
        new Sketch<>(
            param -> param.comm().rank() == 0 ? Sketch.pairs(param, 1) : AlgResourceRequest.none(),
            (param, res) -> {});
    CollExecutorBase<BarrierParam> beyond =
        new Sketch<>(Sketch::mesh, (param, res) -> res.cclInputMem().slice(4000, 97));
    BarrierParam param = new BarrierParam(cluster.comm());

    assertThat(cluster.check(throwing, param).rules()).containsExactly("CAP-2");
    assertThat(cluster.check(unasked, param).rules()).containsExactly("RES-2");
    assertThat(cluster.check(oneSided, param).rules()).containsExactly("LNK-1");
    assertThat(cluster.check(beyond, param).rules()).containsExactly("MEM-3");
  }

  /** {@link Sketch} supports any operation; only the request says which one. */
  @Test
  void theSmallestCaseIsFoundAlsoOfAnExecutorThatDoesNotSayItsOperation() {
    VirtualCluster shrinking = VirtualCluster.builder(Topology.flat(RANKS)).build();
    CollExecutorBase<AllReduceParam> silent = new Sketch<>(Sketch::mesh, (param, res) -> {});

    Report report =
        shrinking.check(
            silent, new AllReduceParam(shrinking.comm(), DataType.INT32, ReduceOp.SUM, 40));

    assertThat(report.findings()).isNotEmpty();
    assertThat(report.smallest()).isNotNull();
  }
}
