package dev.tutti.verifier.dynamic;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(600)
class FaultRunsTest {

  private final CommInfo comm = VirtualCluster.builder(Topology.flat(3)).build().comm();

  @Test
  void correctAlgorithmsSurviveEverySingleFault() {
    assertThat(
            Recorded.of(
                    Algorithms.directAllReduce(),
                    new AllReduceParam(comm, DataType.INT32, ReduceOp.SUM, 10))
                .faults())
        .isEmpty();
    assertThat(
            Recorded.of(
                    Algorithms.chainScan(),
                    new ExclusiveScanParam(comm, DataType.FLOAT32, ReduceOp.SUM, 5))
                .faults())
        .isEmpty();
    assertThat(Recorded.of(Algorithms.meshBarrier(), new BarrierParam(comm)).faults()).isEmpty();
    assertThat(
            Recorded.of(
                    Algorithms.relayedBroadcast(true),
                    new BroadcastParam(comm, DataType.INT32, 5, 0))
                .faults())
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void correctAlgorithmsWithBothProtocolsSurviveEverySingleFault(Protocol protocol) {
    CommInfo other = VirtualCluster.builder(Topology.flat(4)).protocol(protocol).build().comm();

    assertThat(
            Recorded.of(Algorithms.flatBroadcast(), new BroadcastParam(other, DataType.INT16, 9, 1))
                .faults())
        .isEmpty();
    assertThat(
            Recorded.of(new Algorithms.RingAllGather(), new AllGatherParam(other, DataType.INT8, 3))
                .faults())
        .isEmpty();
  }

  /**
   * The root pushes its input into the other ranks' outputs.
   *
   * @param isOrphaned whether the root does so on a slave stream that it does not wait for
   */
  private Recorded push(boolean isOrphaned) {
    return Recorded.of(
        new Sketch<BroadcastParam>(
            param -> Sketch.mesh(param).withStreamNum(1),
            (param, res) -> {
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                Stream slave = res.slaveStreams().getFirst();
                main.fork(res.slaveStreams());
                for (Link link : Sketch.links(param.comm(), res)) {
                  link.await(slave, Link.READY);
                  link.write(slave, link.remote(PARAM_OUTPUT), res.paramInputMem());
                  link.post(slave, Link.FIN);
                }
                main.copy(res.paramOutputMem(), res.paramInputMem());
                if (!isOrphaned) {
                  main.join(res.slaveStreams());
                }
              } else {
                Link link = Sketch.link(res, 0);
                link.post(main, Link.READY);
                link.await(main, Link.FIN);
              }
            }),
        new BroadcastParam(comm, DataType.INT32, 6, 0));
  }

  @Test
  void aStreamThatNobodyWaitsForHangsUnseenAndWritesAfterTheFailure() {
    List<Finding> findings = push(true).faults();

    assertThat(Recorded.ids(findings)).contains("FLT-1", "FLT-3");
    assertThat(first(findings, "FLT-1").message())
        .contains("has returned with success, but leaves rank 0 stream 1 'await ")
        .contains("FaultRunsTest.java:")
        .contains("waiting for ever")
        .contains("[seed ");
    assertThat(first(findings, "FLT-3").message())
        .contains("was told of the failure, but later its output at byte 0 has changed");
    assertThat(push(false).faults()).as("its twin waits for the stream").isEmpty();
  }

  /** The root signals when the others may read its input. It waits until they have, or not. */
  private Recorded pull(boolean isClosed) {
    return Recorded.of(
        new Sketch<BroadcastParam>(
            Sketch::mesh,
            (param, res) -> {
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                List<Link> links = Sketch.links(param.comm(), res);
                main.copy(res.paramOutputMem(), res.paramInputMem());
                links.forEach(link -> link.post(main, Link.FIN));
                if (isClosed) {
                  links.forEach(link -> link.await(main, Link.FIN_ACK));
                }
              } else {
                Link link = Sketch.link(res, 0);
                link.await(main, Link.FIN);
                link.read(main, res.paramOutputMem(), link.remote(PARAM_INPUT));
                if (isClosed) {
                  link.post(main, Link.FIN_ACK);
                }
              }
            }),
        new BroadcastParam(comm, DataType.INT32, 6, 0));
  }

  @Test
  void aRootThatReturnsBeforeItsDataWasTakenMakesALateReaderReportWrongData() {
    List<Finding> findings = pull(false).faults();

    assertThat(Recorded.ids(findings)).containsExactly("FLT-2");
    assertThat(findings)
        .anySatisfy(
            finding ->
                assertThat(finding.message())
                    .contains("steps of delay before rank ", "'copy param-output")
                    .contains("reports success, but rank "));
    assertThat(pull(true).faults()).isEmpty();
  }

  /**
   * All ranks write their inputs into the others' outputs. They wait for an acknowledgement, or
   * not.
   */
  private Recorded blindGather(boolean isTold) {
    return Recorded.of(
        new Sketch<AllGatherParam>(
            Sketch::mesh,
            (param, res) -> {
              Stream main = res.mainStream();
              int rank = param.comm().rank();
              long bytes = param.inputBytes();
              Sketch.exchange(param.comm(), res, Link.READY);
              main.copy(res.paramOutputMem().slice(rank * bytes, bytes), res.paramInputMem());
              for (Link link : Sketch.links(param.comm(), res)) {
                link.write(
                    main,
                    link.remote(PARAM_OUTPUT).slice(rank * bytes, bytes),
                    res.paramInputMem());
              }
              if (isTold) {
                Sketch.exchange(param.comm(), res, Link.FIN);
              }
            }),
        new AllGatherParam(comm, DataType.INT32, 2));
  }

  @Test
  void aRankThatDoesNotWaitForItsPeersReportsSuccessAfterTheirDeath() {
    List<Finding> findings = blindGather(false).faults();

    assertThat(Recorded.ids(findings)).containsExactly("FLT-2");
    assertThat(findings)
        .anySatisfy(
            finding ->
                assertThat(finding.message())
                    .contains(" died before rank ", "reports success, but"));
    assertThat(blindGather(true).faults()).isEmpty();
  }

  @Test
  void aPlanThatIsWrongWithoutFaultsIsNotJudged() {
    Recorded wrong =
        Recorded.of(
            new Sketch<BroadcastParam>(Sketch::mesh, (param, res) -> {}),
            new BroadcastParam(comm, DataType.INT32, 6, 0));
    Findings findings = new Findings();

    FaultSummary summary = new FaultRuns(wrong.plan(), wrong.params(), 1, findings).run(1000);

    assertThat(summary.runs()).isZero();
    assertThat(findings.toList()).isEmpty();
  }

  @Test
  void manyFaultsAreSampledAndCounted() {
    Recorded recorded = pull(true);

    FaultSummary all =
        new FaultRuns(recorded.plan(), recorded.params(), 1, new Findings()).run(999);
    FaultSummary some =
        new FaultRuns(recorded.plan(), recorded.params(), 1, new Findings()).run(20);

    assertThat(all.isExhaustive()).isTrue();
    assertThat(all.toString()).isEqualTo("all " + all.possible() + " single faults");
    assertThat(some).isEqualTo(new FaultSummary(all.possible(), 20));
    assertThat(some.toString()).isEqualTo("20 of " + all.possible() + " single faults");
  }

  @Test
  void aSampleIsDistinctAndDependsOnTheSeedAlone() {
    FaultList list = new FaultList(pull(true).plan(), 10, 100);

    assertThat(list.sample(25, 7)).doesNotHaveDuplicates().hasSize(25);
    assertThat(list.sample(25, 7)).isEqualTo(list.sample(25, 7)).isNotEqualTo(list.sample(25, 8));
    assertThat(list.sample(Integer.MAX_VALUE, 7))
        .doesNotHaveDuplicates()
        .hasSize((int) list.size());
  }

  private static Finding first(List<Finding> findings, String rule) {
    return findings.stream()
        .filter(finding -> finding.rule().id().equals(rule))
        .findFirst()
        .orElseThrow();
  }
}
