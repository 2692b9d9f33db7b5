package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Collectives;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.text.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulatorTest {

  private static final Topology FOUR = Topology.flat(4);
  private static final NetworkModel PLAIN = NetworkModel.plain(1000, PerByte.of(10), PerByte.of(3));

  private static GroupPlan oneSource(boolean isParallel) {
    return Reads.plan(FOUR, 100, Map.of(1, List.of(0), 2, List.of(0), 3, List.of(0)), isParallel);
  }

  private static AllReduceParam allReduce(int ranks, long count) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks));
    return new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count);
  }

  private static GroupPlan ring(AllReduceParam param) {
    return new PlanRecorder().record("ring", Collectives.ring(), param);
  }

  @Test
  void aPortServesOneMessageAfterAnotherButTheirLatenciesOverlap() {
    Simulation simulation = Simulator.of(PLAIN).run(oneSource(false));
    assertThat(List.of(1, 2, 3).stream().map(simulation::rankFinish))
        .containsExactly(2000L, 3000L, 4000L);
    assertThat(simulation.rankFinish(0)).isZero();
  }

  @Test
  void messagesShareAPortEquallyUnderMaxMin() {
    NetworkModel shared =
        NetworkModel.builder()
            .sharing(Sharing.MAX_MIN)
            .level(CommPlane.LEVEL0, LinkTerms.of(1000, PerByte.of(10)))
            .build();
    Simulation simulation = Simulator.of(shared).run(oneSource(false));
    assertThat(List.of(1, 2, 3).stream().map(simulation::rankFinish))
        .containsExactly(4000L, 4000L, 4000L);
  }

  @Test
  void theReceivingPortIsOnePortToo() {
    GroupPlan plan = Reads.plan(FOUR, 100, Map.of(0, List.of(1, 2, 3)), true);
    assertThat(Simulator.of(PLAIN).run(plan).time()).isEqualTo(3 * 1000 + 1000);
  }

  @Test
  void portsAreFullDuplex() {
    GroupPlan plan = Reads.plan(FOUR, 100, Map.of(0, List.of(1), 1, List.of(0)), false);
    assertThat(Simulator.of(PLAIN).run(plan).time()).isEqualTo(2000);
  }

  @Test
  void overheadHoldsThePortsAndLatencyDoesNot() {
    NetworkModel model =
        NetworkModel.builder()
            .level(CommPlane.LEVEL0, LinkTerms.of(1000, PerByte.of(10)).withOverhead(500))
            .build();
    assertThat(Simulator.of(model).run(oneSource(false)).time()).isEqualTo(3 * 1500 + 1000);
  }

  @Test
  void aPortServesInTheOrderOfRequestsNotOfStreams() {
    // Rank 1 first reads from rank 3, so that rank 2 comes to rank 0 before it.
    GroupPlan plan = Reads.plan(FOUR, 100, Map.of(1, List.of(3, 0), 2, List.of(0)), false);
    Simulation simulation = Simulator.of(PLAIN).run(plan);
    assertThat(simulation.rankFinish(2)).isEqualTo(2000);
    assertThat(simulation.rankFinish(1)).isEqualTo(4000);
  }

  @Test
  void everyLevelHasItsTermsAndItsPortsIfItSaysSo() {
    Topology topology = Topology.pods(List.of(new int[] {2, 1}, new int[] {1}));
    GroupPlan plan = Reads.plan(topology, 100, Map.of(0, List.of(1, 2, 3)), true);
    NetworkModel.Builder model =
        NetworkModel.builder()
            .topology(topology)
            .level(CommPlane.LEVEL0, LinkTerms.of(10, PerByte.of(1)))
            .level(CommPlane.LEVEL1, LinkTerms.of(100, PerByte.of(2)))
            .level(CommPlane.LEVEL2, LinkTerms.of(1000, PerByte.of(4)));
    assertThat(Simulator.of(model.build()).run(plan).time()).isEqualTo(100 + 200 + 400 + 1000);
    model.level(CommPlane.LEVEL1, LinkTerms.of(100, PerByte.of(2)).withOwnPort(true));
    assertThat(Simulator.of(model.build()).run(plan).time()).isEqualTo(200 + 400 + 1000);
    model.level(CommPlane.LEVEL2, LinkTerms.of(1000, PerByte.of(4)).withOwnPort(true));
    assertThat(Simulator.of(model.build()).run(plan).time()).isEqualTo(400 + 1000);
  }

  @Test
  void ranksOfANodeShareItsUplinkAndPodsTheCore() {
    Topology topology = Topology.pods(List.of(new int[] {2, 2}, new int[] {4}));
    NetworkModel.Builder model =
        NetworkModel.builder()
            .topology(topology)
            .sharing(Sharing.MAX_MIN)
            .level(CommPlane.LEVEL0, LinkTerms.of(0, PerByte.of(1)));
    GroupPlan outOfNode = Reads.plan(topology, 100, Map.of(2, List.of(0), 3, List.of(1)), false);
    assertThat(Simulator.of(model.build()).run(outOfNode).time()).isEqualTo(100);
    model.nodeUplink(PerByte.of(2));
    assertThat(Simulator.of(model.build()).run(outOfNode).time()).isEqualTo(400);
    GroupPlan outOfPod =
        Reads.plan(
            topology,
            100,
            Map.of(4, List.of(0), 5, List.of(1), 6, List.of(2), 7, List.of(3)),
            false);
    assertThat(Simulator.of(model.build()).run(outOfPod).time())
        .as("the one node of the second pod has one downlink")
        .isEqualTo(800);
    model.oversubscription(4);
    assertThat(Simulator.of(model.build()).run(outOfPod).time())
        .as("its pod's downlink is four times narrower")
        .isEqualTo(3200);
  }

  @Test
  void theUnitOfARankDoesOneThingAfterAnother() {
    GroupPlan plan = Reads.plan(FOUR, 100, Map.of(1, List.of(1, 1, 1)), true);
    NetworkModel model = NetworkModel.builder().copy(PerByte.of(5)).build();
    Simulation simulation = Simulator.of(model).run(plan);
    assertThat(simulation.time()).isEqualTo(3 * 500);
    assertThat(simulation.criticalPath().stream().map(PathStep::start))
        .containsExactly(0L, 500L, 1000L);
  }

  @Test
  void aFusedReductionTakesAMessageOfEachSourceAndThenCombines() {
    CommInfo comm = CommInfo.of(0, FOUR);
    ReduceParam param = new ReduceParam(comm, DataType.UINT8, ReduceOp.SUM, 100, 0);
    GroupPlan plan = new PlanRecorder().record("flat", Collectives.flatReduce(), param);
    Simulation simulation = Simulator.of(PLAIN).run(plan, param);
    assertThat(simulation.time()).isEqualTo(1000 + 3 * 100 * (10 + 3));
    assertThat(simulation.steps()).isEqualTo(1);
    assertThat(simulation.traffic().messagesIn(0)).isEqualTo(3);
    NetworkModel shared =
        NetworkModel.builder()
            .sharing(Sharing.MAX_MIN)
            .level(CommPlane.LEVEL0, LinkTerms.of(1000, PerByte.of(10)).withOverhead(7))
            .reduction(PerByte.of(3))
            .build();
    assertThat(Simulator.of(shared).run(plan).time()).isEqualTo(3 * 7 + 1000 + 3 * 100 * (10 + 3));
  }

  @Test
  void stepsFollowNotifiesFromRankToRank() {
    CommInfo comm = CommInfo.of(0, Topology.flat(8));
    BroadcastParam param = new BroadcastParam(comm, DataType.UINT8, 100, 0);
    GroupPlan plan = new PlanRecorder().record("tree", Collectives.binomialBroadcast(), param);
    assertThat(Simulator.of(PLAIN).run(plan).steps()).isEqualTo(3);
    AllGatherParam gather = new AllGatherParam(comm, DataType.UINT8, 100);
    GroupPlan chain = new PlanRecorder().record("chain", Collectives.bruckAllGather(), gather);
    assertThat(Simulator.of(PLAIN).run(chain).steps()).isEqualTo(3);
    CommInfo two = CommInfo.of(0, Topology.flat(2));
    GroupPlan relay =
        new PlanRecorder().record("relay", new Relay(), new AllGatherParam(two, DataType.UINT8, 8));
    assertThat(Simulator.of(PLAIN).run(relay).steps())
        .as("rank 1 reads after it was told that rank 0 has read")
        .isEqualTo(2);
  }

  /** Rank 0 reads and signals rank 1 twice; rank 1 awaits both signals, and reads. */
  private static final class Relay extends CollExecutorBase<AllGatherParam> {
    @Override
    public AlgResourceRequest calcResRequest(AllGatherParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.mesh(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.PARAM_INPUT,
              TransportMemType.PARAM_OUTPUT));
    }

    @Override
    public void orchestrate(AllGatherParam param, AlgResourceResponse res) {
      int rank = param.comm().rank();
      Link link = res.subComm(CommPlane.COMBINED, 0).link(1 - rank);
      if (rank == 1) {
        link.await(res.mainStream(), 0);
        link.await(res.mainStream(), 0);
      }
      DeviceMem dst = res.paramOutputMem().slice(0, 8);
      link.read(res.mainStream(), dst, link.remote(TransportMemType.PARAM_INPUT));
      if (rank == 0) {
        link.post(res.mainStream(), 0);
        link.post(res.mainStream(), 0);
      }
    }
  }

  @Test
  void podsUplinksCarryWhatHangsBelowThem() {
    Topology topology = Topology.pods(List.of(new int[] {2, 2}, new int[] {2, 2}));
    GroupPlan plan =
        Reads.plan(
            topology,
            100,
            Map.of(4, List.of(0), 5, List.of(1), 6, List.of(2), 7, List.of(3)),
            false);
    NetworkModel.Builder model =
        NetworkModel.builder()
            .topology(topology)
            .sharing(Sharing.MAX_MIN)
            .level(CommPlane.LEVEL0, LinkTerms.of(0, PerByte.of(1)))
            .oversubscription(1);
    assertThat(Simulator.of(model.build()).run(plan).time()).isEqualTo(100);
    model.oversubscription(2);
    assertThat(Simulator.of(model.build()).run(plan).time()).isEqualTo(200);
    model.nodeUplink(PerByte.of(1));
    assertThat(Simulator.of(model.build()).run(plan).time())
        .as("two nodes' uplinks, halved, for four messages")
        .isEqualTo(400);
  }

  @Test
  void anOperationOfOtherRanksIsRefused() {
    assertThatThrownBy(() -> Simulator.of(PLAIN).run(oneSource(false), allReduce(5, 10)))
        .hasMessage("plan and operation must have the same ranks. Actual: 4 and 5");
  }

  @Test
  void notifiesAndLocalCopiesCostWhatTheModelSays() {
    AllReduceParam param = allReduce(2, 100);
    GroupPlan plan = ring(param);
    NetworkModel copies = NetworkModel.builder().copy(PerByte.of(5)).build();
    assertThat(Simulator.of(copies).run(plan).time()).isEqualTo(400 * 5);
    NetworkModel notifies = NetworkModel.builder().notifyTime(10).localNotifyTime(1).build();
    // READY and FIN of two steps follow one another, then the closing signal.
    assertThat(Simulator.of(notifies).run(plan).time()).isEqualTo(2 * 2 * 10 + 10);
    GroupPlan forked = Reads.plan(FOUR, 100, Map.of(0, List.of(1, 2)), true);
    assertThat(Simulator.of(notifies).run(forked).time()).isEqualTo(2);
  }

  @Test
  void theCriticalPathFollowsWhatEachActionWaitedFor() {
    Simulation simulation = Simulator.of(PLAIN).run(oneSource(false));
    List<PathStep> path = simulation.criticalPath();
    assertThat(path.stream().map(step -> step.action().rank())).containsExactly(1, 2, 3);
    assertThat(path.stream().map(PathStep::start)).containsExactly(0L, 1000L, 2000L);
    assertThat(path.getLast().end()).isEqualTo(simulation.time());
    assertThat(path.getLast().action().source()).contains("Reads.java");
    AllReduceParam param = allReduce(8, 999);
    Simulation ring = Simulator.of(PLAIN).run(ring(param), param);
    List<PathStep> messages = ring.criticalPath().stream().filter(s -> s.end() > 0).toList();
    assertThat(messages).hasSize(14).hasSize(ring.steps());
    for (int i = 1; i < messages.size(); i++) {
      assertThat(messages.get(i).start()).isEqualTo(messages.get(i - 1).end());
    }
  }

  @Test
  void trafficIsCountedAtBothEndsAndOnEveryLink() {
    AllReduceParam param = allReduce(4, 1000);
    Traffic traffic = Simulator.of(PLAIN).run(ring(param), param).traffic();
    assertThat(traffic.messages()).isEqualTo(4 * 6);
    for (int rank = 0; rank < 4; rank++) {
      assertThat(traffic.bytesIn(rank)).isEqualTo(6000);
      assertThat(traffic.bytesOut(rank)).isEqualTo(6000);
      assertThat(traffic.messagesIn(rank)).isEqualTo(6);
      assertThat(traffic.messagesOut(rank)).isEqualTo(6);
    }
    assertThat(traffic.links())
        .containsExactly(
            new LinkTraffic(0, 1, CommPlane.LEVEL0, 6000, 6),
            new LinkTraffic(1, 2, CommPlane.LEVEL0, 6000, 6),
            new LinkTraffic(2, 3, CommPlane.LEVEL0, 6000, 6),
            new LinkTraffic(3, 0, CommPlane.LEVEL0, 6000, 6));
    assertThat(traffic.bytes(CommPlane.LEVEL0)).isEqualTo(24_000);
    assertThat(traffic.bytes(CommPlane.LEVEL1)).isZero();
  }

  @Test
  void bandwidthsAreThoseOfNcclTests() {
    AllReduceParam param = allReduce(4, 1000);
    Simulation simulation =
        Simulator.of(NetworkModel.plain(0, PerByte.of(100), PerByte.FREE)).run(ring(param), param);
    assertThat(simulation.busBandwidth()).isEqualTo(1e10);
    assertThat(simulation.algorithmBandwidth()).isEqualTo(1e10 / 1.5);
    assertThat(simulation.boundRatio()).isEqualTo(1);
    assertThatThrownBy(() -> Simulator.of(PLAIN).run(ring(param)).busBandwidth())
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("simulate the plan together with its request");
  }

  @Test
  void slowerTermsNeverMakeARunWithoutContentionFaster() {
    AllReduceParam param = allReduce(7, 1000);
    GroupPlan plan = ring(param);
    long last = 0;
    for (int factor = 0; factor < 5; factor++) {
      NetworkModel model =
          NetworkModel.plain(100L * factor, PerByte.of(factor), PerByte.of(factor));
      long time = Simulator.of(model).run(plan).time();
      assertThat(time).isGreaterThanOrEqualTo(last);
      last = time;
    }
  }

  @Test
  void moreBytesNeverTakeLess() {
    long last = 0;
    for (long count = 0; count < 200; count++) {
      AllReduceParam param = allReduce(5, count);
      long time = Simulator.of(NetworkModel.machine()).run(ring(param), param).time();
      assertThat(time).as("%d elements", count).isGreaterThanOrEqualTo(last);
      last = time;
    }
  }

  @Test
  void theSamePlanGivesTheSameSimulation() {
    AllReduceParam param = allReduce(8, 1001);
    GroupPlan plan = ring(param);
    NetworkModel model = NetworkModel.machine();
    assertThat(Simulator.of(model).run(plan, param).toJson())
        .isEqualTo(Simulator.of(model).run(plan, param).toJson());
  }

  @Test
  void nestedPlansRunInSequence() {
    AllReduceParam param = allReduce(4, 1000);
    GroupPlan plan = ring(param);
    GroupPlan twice = GroupPlan.sequence("twice", List.of(plan, plan));
    assertThat(Simulator.of(PLAIN).run(twice).time())
        .isEqualTo(2 * Simulator.of(PLAIN).run(plan).time());
  }

  @Test
  void aPlanThatIsStuckIsRefusedWithItsCycle() {
    CommInfo comm = CommInfo.of(0, Topology.flat(2));
    GroupPlan stuck = new PlanRecorder().record("stuck", new Stuck(), stuckParam(comm));
    assertThatThrownBy(() -> Simulator.of(PLAIN).run(stuck))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLOCK))
        .hasMessageContaining("the plan stuck cannot be simulated: a cycle of waits");
  }

  private static BroadcastParam stuckParam(CommInfo comm) {
    return new BroadcastParam(comm, DataType.UINT8, 8, 0);
  }

  private static final class Stuck extends CollExecutorBase<BroadcastParam> {
    @Override
    public AlgResourceRequest calcResRequest(BroadcastParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.mesh(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.PARAM_INPUT,
              TransportMemType.PARAM_OUTPUT));
    }

    @Override
    public void orchestrate(BroadcastParam param, AlgResourceResponse res) {
      Link link = res.subComm(CommPlane.COMBINED, 0).link(1 - param.comm().rank());
      link.await(res.mainStream(), 0);
      link.post(res.mainStream(), 0);
    }
  }

  @Test
  void aNetworkOfOtherRanksIsRefused() {
    NetworkModel model = PLAIN.withTopology(Topology.flat(5));
    assertThatThrownBy(() -> Simulator.of(model).run(oneSource(false)))
        .hasMessage("the plan has 4 ranks, but the network 5 has 5; give both the same ranks");
  }

  @Test
  void aTimeThatDoesNotFitIsRefused() {
    NetworkModel model = NetworkModel.plain(Long.MAX_VALUE / 2, PerByte.FREE, PerByte.FREE);
    AllReduceParam param = allReduce(4, 1000);
    assertThatThrownBy(() -> Simulator.of(model).run(ring(param))).hasMessageContaining("106 days");
    ReduceParam huge =
        new ReduceParam(
            CommInfo.of(0, Topology.flat(5)), DataType.UINT8, ReduceOp.SUM, 1L << 62, 0);
    GroupPlan plan = new PlanRecorder().record("flat", Collectives.flatReduce(), huge);
    NetworkModel reductions = NetworkModel.plain(0, PerByte.FREE, new PerByte(1, 1000));
    assertThatThrownBy(() -> Simulator.of(reductions).run(plan)).hasMessageContaining("106 days");
    assertThatThrownBy(() -> PerByte.of(Long.MAX_VALUE).time(3)).hasMessageContaining("106 days");
  }

  @Test
  void costsPerByteAreExactAndRoundedUpOnce() {
    PerByte threeHundred = PerByte.bandwidth(300_000_000_000L);
    assertThat(threeHundred).isEqualTo(new PerByte(10, 3));
    assertThat(threeHundred.time(1)).isEqualTo(4);
    assertThat(threeHundred.time(3)).isEqualTo(10);
    assertThat(threeHundred.time(0)).isZero();
    assertThat(new PerByte(1_000_000_000_007L, 1_000_003).time(9_000_000_000_001L))
        .isEqualTo(8_999_973_000_144_999_566L);
    assertThat(PerByte.bandwidth(25_000_000_000L)).hasToString("25 GB/s");
  }

  @Test
  void ranksThatAreAlikeShareARow() {
    AllReduceParam even = allReduce(16, 1600);
    AllReduceParam uneven = allReduce(4, 1001);

    assertThat(Simulator.of(PLAIN).run(ring(even), even).toString())
        .containsPattern("(?m)^ +0…15 .*\\n +critical path");
    assertThat(Simulator.of(PLAIN).run(ring(uneven), uneven).toString())
        .containsPattern("(?m)^ +0 .*\\n +1 ");
  }

  @Test
  void theTableAndTheJsonSayTheSame() {
    AllReduceParam param = allReduce(4, 1000);
    Simulation simulation = Simulator.of(PLAIN).run(ring(param), param);
    assertThat(simulation.toString())
        .startsWith("ring on 4 ranks")
        .contains("time                  75 ns")
        .contains("lower bound           61 ns, 1.23 times that")
        .contains("steps                 6")
        .contains("messages              24, 24000 bytes")
        .contains("critical path, 7 actions")
        .contains("rank 0 stream 0 'reduce");
    Json json = Json.parse("simulation", simulation.toJson());
    assertThat(json.field("timePs").wholeNumber(0, Long.MAX_VALUE)).isEqualTo(75_000);
    assertThat(json.field("lowerBoundPs").wholeNumber(0, Long.MAX_VALUE)).isEqualTo(61_000);
    assertThat(json.field("perRank").items()).hasSize(4);
  }
}
