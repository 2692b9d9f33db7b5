package dev.tutti.verifier.dynamic;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(600)
class DataRunsTest {

  private static final int RUNS = 12;

  private final CommInfo comm = VirtualCluster.builder(Topology.flat(3)).build().comm();

  private AllReduceParam allReduce(DataType type, boolean inPlace) {
    return new AllReduceParam(comm, "", AlgOptions.none(), type, ReduceOp.SUM, 40, inPlace);
  }

  /** Direct all-reduce, out of place, with a chosen start and end. */
  private Recorded direct(
      BiConsumer<AllReduceParam, AlgResourceResponse> start,
      BiConsumer<AllReduceParam, AlgResourceResponse> end) {
    return Recorded.of(
        new Sketch<>(
            Sketch::mesh,
            (param, res) -> {
              start.accept(param, res);
              Algorithms.reduceAllInputs(param, res, res.paramOutputMem());
              end.accept(param, res);
            }),
        allReduce(DataType.INT32, false));
  }

  private static BiConsumer<AllReduceParam, AlgResourceResponse> exchange(int notify) {
    return (param, res) -> Sketch.exchange(param.comm(), res, notify);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void aCorrectAlgorithmIsCleanInAllRuns(DataType type) {
    DataOptions options =
        DataOptions.of(6, 3, Determinism.SAME_RANKS).withStressRuns(4).withSpecials(true);
    for (boolean inPlace : new boolean[] {false, true}) {
      Recorded recorded = Recorded.of(Algorithms.directAllReduce(), allReduce(type, inPlace));
      Findings findings = new Findings();

      int runs = new DataRuns(recorded.plan(), recorded.params(), options, findings).run();

      assertThat(findings.toList()).isEmpty();
      assertThat(runs).isEqualTo(type.isInteger() ? 10 : 16);
    }
  }

  @Test
  void everyShapeOfOperationIsCleanInSimulatedAndStressRuns() {
    DataOptions options = DataOptions.of(6, 3, Determinism.SAME_RUNS).withStressRuns(6);
    assertThat(
            Recorded.of(Algorithms.flatBroadcast(), new BroadcastParam(comm, DataType.INT64, 99, 2))
                .data(options))
        .isEmpty();
    assertThat(
            Recorded.of(new Algorithms.RingAllGather(), new AllGatherParam(comm, DataType.UINT8, 7))
                .data(options))
        .isEmpty();
    assertThat(
            Recorded.of(
                    Algorithms.chainScan(),
                    new ExclusiveScanParam(comm, DataType.FLOAT32, ReduceOp.PROD, 50))
                .data(options))
        .isEmpty();
  }

  @Test
  void anInputThatIsReadAfterTheReturnHasBeenOverwritten() {
    assertThat(direct(exchange(Link.READY), exchange(Link.FIN)).data(RUNS)).isEmpty();
    assertThat(direct(exchange(Link.READY), (param, res) -> {}).data(RUNS))
        .containsExactly("VAL-1");
  }

  @Test
  void anInputThatIsReadBeforeTheEntryIsNotThereYet() {
    assertThat(direct((param, res) -> {}, exchange(Link.FIN)).data(RUNS)).containsExactly("VAL-1");
  }

  @Test
  void aBufferThatIsWrittenAfterTheReturnIsFoundEvenIfTheResultWasRight() {
    // Rank 0 writes its own output, and later rank 1 writes the same data again.
    Recorded late =
        Recorded.of(
            new Sketch<BroadcastParam>(
                Sketch::mesh,
                (param, res) -> {
                  Stream main = res.mainStream();
                  if (param.comm().rank() == 0) {
                    main.copy(res.paramOutputMem(), res.paramInputMem());
                    for (Link link : Sketch.links(param.comm(), res)) {
                      link.await(main, Link.READY);
                      link.write(main, link.remote(PARAM_OUTPUT), res.paramInputMem());
                      link.post(main, Link.FIN);
                    }
                  } else {
                    Link link = Sketch.link(res, 0);
                    link.post(main, Link.READY);
                    link.await(main, Link.FIN);
                    if (param.comm().rank() == 1) {
                      link.write(main, link.remote(PARAM_OUTPUT), res.paramOutputMem());
                    }
                  }
                }),
            new BroadcastParam(comm, DataType.INT32, 10, 0));

    assertThat(late.data(RUNS)).containsExactly("MEM-2");
  }

  @Test
  void anInputThatTheCallChangesIsFound() {
    Recorded changing =
        direct(
            exchange(Link.READY),
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.FIN);
              res.mainStream().copy(res.paramInputMem(), res.paramOutputMem());
            });

    assertThat(changing.data(RUNS)).containsExactly("VAL-2");
  }

  @Test
  void anOutputThatMustStayAsItIsAndDoesNotIsFound() {
    Recorded writing =
        Recorded.of(
            new Sketch<ExclusiveScanParam>(
                param -> AlgResourceRequest.none(),
                (param, res) -> res.mainStream().copy(res.paramOutputMem(), res.paramInputMem())),
            new ExclusiveScanParam(
                VirtualCluster.builder(Topology.flat(1)).build().comm(),
                DataType.INT32,
                ReduceOp.SUM,
                8));

    assertThat(writing.data(RUNS)).containsExactly("VAL-3");
  }

  /** All ranks add into the output of every rank at once, as hardware with atomics may. */
  private Recorded atomicAdds(DataType type) {
    return Recorded.of(
        new Sketch<AllReduceParam>(
            Sketch::mesh,
            (param, res) -> {
              Stream main = res.mainStream();
              main.copy(res.paramOutputMem(), res.paramInputMem());
              Sketch.exchange(param.comm(), res, Link.READY);
              for (Link link : Sketch.links(param.comm(), res)) {
                link.writeReduce(
                    main,
                    link.remote(PARAM_OUTPUT),
                    res.paramInputMem(),
                    param.dataType(),
                    param.reduceOp());
              }
              Sketch.exchange(param.comm(), res, Link.FIN);
            }),
        new AllReduceParam(comm, type, ReduceOp.SUM, 200));
  }

  @Test
  void bitsThatDependOnTimingBreakThePromiseOfEqualRuns() {
    Recorded adding = atomicAdds(DataType.FLOAT32);

    List<Finding> findings = adding.dataFindings(DataOptions.of(RUNS, 1, Determinism.SAME_RUNS));

    assertThat(Recorded.ids(findings)).containsExactly("VAL-4");
    assertThat(findings.getFirst().message())
        .contains("on equal inputs; the executor promises equal bits in every run");
    assertThat(adding.data(DataOptions.of(RUNS, 1, Determinism.NONE))).isEmpty();
    assertThat(atomicAdds(DataType.INT32).data(DataOptions.of(RUNS, 1, Determinism.SAME_RUNS)))
        .as("integers do not round")
        .isEmpty();
  }

  @Test
  void atomicReductionsDoNotMixOnRealThreads() {
    DataOptions options =
        DataOptions.of(0, 1, Determinism.NONE).withStressRuns(30).withAtomicReductions(true);

    assertThat(atomicAdds(DataType.FLOAT64).data(options)).isEmpty();
  }

  /** Each rank combines the inputs in a different order. */
  private Recorded ownOrders(boolean isReversed) {
    return Recorded.of(
        new Sketch<AllReduceParam>(
            Sketch::mesh,
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              List<DeviceMem> sources = new ArrayList<>();
              for (int rank = 0; rank < 3; rank++) {
                sources.add(
                    rank == param.comm().rank()
                        ? res.paramInputMem()
                        : Sketch.link(res, rank).remote(PARAM_INPUT));
              }
              if (isReversed && param.comm().rank() == 1) {
                Collections.reverse(sources);
              }
              res.mainStream()
                  .reduceFrom(res.paramOutputMem(), sources, param.dataType(), param.reduceOp());
              Sketch.exchange(param.comm(), res, Link.FIN);
            }),
        allReduce(DataType.FLOAT32, false));
  }

  @Test
  void bitsThatDifferBetweenRanksBreakThePromiseOfEqualRanks() {
    DataOptions promise = DataOptions.of(2, 1, Determinism.SAME_RANKS);

    assertThat(ownOrders(true).data(promise)).containsExactly("DET-1");
    assertThat(ownOrders(false).data(promise)).isEmpty();
    assertThat(ownOrders(true).data(2)).as("equal runs are promised, and kept").isEmpty();
  }

  @Test
  void anOrderOfRanksIsHeldToTheBitIfItIsDemanded() {
    DataOptions promise = DataOptions.of(2, 1, Determinism.SAME_RUNS).withRankOrder(true);

    assertThat(ownOrders(false).data(promise)).isEmpty();
    assertThat(ownOrders(true).data(promise)).containsExactly("VAL-1");
  }

  @Test
  void whatTheStaticRulesExplainIsNotRepeated() {
    Recorded broken = direct(exchange(Link.READY), (param, res) -> {});
    Findings findings = new Findings();
    findings.add(Rule.OUTSIDE_CALL, "known");

    new DataRuns(
            broken.plan(),
            broken.params(),
            DataOptions.of(RUNS, 1, Determinism.SAME_RUNS),
            findings)
        .run();

    assertThat(findings.toList()).hasSize(1);
  }
}
