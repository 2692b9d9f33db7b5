package dev.tutti.verifier.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.PlanVerifier;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.data.TestData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class PlanInterpreterTest {

  private final VirtualCluster cluster = VirtualCluster.builder(Topology.flat(2)).build();

  private GroupPlan barrier(BiConsumer<BarrierParam, AlgResourceResponse> orchestrate) {
    return cluster.record(
        new Sketch<>(Sketch::mesh, orchestrate), new BarrierParam(cluster.comm()));
  }

  private Set<String> rulesOfManyRuns(GroupPlan plan) {
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    Set<String> rules = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      interpreter.run(seed, memory).findings().forEach(finding -> rules.add(finding.rule().id()));
    }
    return rules;
  }

  @Test
  void runsOnTheCallersBuffers() {
    AllReduceParam param = new AllReduceParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 2);
    GroupPlan plan = cluster.record(Algorithms.directAllReduce(), param);
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    int[] out0 = new int[2];
    int[] out1 = new int[2];

    PlanInterpreter.Outcome outcome =
        interpreter.run(
            7,
            interpreter.bind(
                List.of(
                    MemorySegment.ofArray(new int[] {1, 2}),
                    MemorySegment.ofArray(new int[] {10, 20})),
                List.of(MemorySegment.ofArray(out0), MemorySegment.ofArray(out1))));

    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.findings()).isEmpty();
    assertThat(out0).containsExactly(11, 22);
    assertThat(out1).containsExactly(11, 22);
  }

  @Test
  void aLostSignalIsTheCauseAndTheStuckRunItsConsequence() {
    GroupPlan plan =
        barrier(
            (param, res) -> {
              Link link = Sketch.links(param.comm(), res).getFirst();
              link.post(res.mainStream(), Link.FIN);
              link.post(res.mainStream(), Link.FIN);
              link.await(res.mainStream(), Link.FIN);
              link.await(res.mainStream(), Link.FIN);
            });

    assertThat(rulesOfManyRuns(plan)).containsExactly("SYN-2");
  }

  @Test
  void aSetBitAtTheEndIsLeftOver() {
    assertThat(
            rulesOfManyRuns(
                barrier(
                    (param, res) ->
                        Sketch.links(param.comm(), res)
                            .getFirst()
                            .post(res.mainStream(), Link.FIN))))
        .containsExactly("SYN-3");
  }

  @Test
  void aStuckRunIsDescribed() {
    GroupPlan plan =
        barrier(
            (param, res) ->
                Sketch.links(param.comm(), res).getFirst().await(res.mainStream(), Link.FIN));
    PlanInterpreter interpreter = new PlanInterpreter(plan);

    PlanInterpreter.Outcome outcome = interpreter.run(1, interpreter.allocate());

    assertThat(outcome.isComplete()).isFalse();
    assertThat(outcome.findings().getFirst().toString())
        .startsWith("SYN-1 deadlock: rank 0 stream 0 'await FIN from rank 1' at")
        .contains("which nobody posts, rank 1 stream 0 'await FIN from rank 0'");
  }

  @Test
  void equalSeedsGiveEqualRunsAndSeedsDifferInOrder() {
    // Two ranks race for one value: only the schedule decides which one wins.
    OpParam any = new BroadcastParam(cluster.comm(), DataType.INT32, 1, 0);
    GroupPlan plan =
        cluster.record(
            new Sketch<BroadcastParam>(
                param ->
                    Sketch.mesh(param, TransportMemType.SCRATCH, TransportMemType.PARAM_OUTPUT)
                        .withScratchMemSize(4),
                (param, res) -> {
                  if (param.comm().rank() == 0) {
                    res.mainStream().copy(res.scratchMem(), res.paramInputMem());
                  } else {
                    Link link = Sketch.link(res, 0);
                    link.read(
                        res.mainStream(),
                        res.paramOutputMem(),
                        link.remote(TransportMemType.SCRATCH));
                  }
                }),
            (BroadcastParam) any);
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    Set<Boolean> seen = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      boolean first = readsFresh(interpreter, memory, seed);
      assertThat(readsFresh(interpreter, memory, seed)).isEqualTo(first);
      seen.add(first);
    }
    assertThat(seen).containsExactlyInAnyOrder(true, false);
  }

  private static boolean readsFresh(PlanInterpreter interpreter, GroupMemory memory, int seed) {
    memory.poison(seed);
    interpreter.run(seed, memory);
    return memory.output(1).mismatch(memory.input(0)) < 0;
  }

  @Test
  void nestedPlansWithSlaveStreamsRunAndAreJudged() {
    VirtualCluster four = VirtualCluster.builder(Topology.flat(4)).build();
    BroadcastParam param = new BroadcastParam(four.comm(), DataType.INT32, 9, 2);
    GroupPlan once = four.record(Algorithms.flatBroadcast(), param);
    GroupPlan nested =
        GroupPlan.sequence(
            "outer", List.of(GroupPlan.sequence("inner", List.of(once, once)), once));

    assertThat(PlanVerifier.verify(nested)).isEmpty();

    PlanInterpreter interpreter = new PlanInterpreter(nested);
    GroupMemory memory = interpreter.allocate();
    memory.poison(3);
    TestData.of(3).fillInput(param.withComm(four.comm().withRank(2)), memory.input(2));
    PlanInterpreter.Outcome outcome = interpreter.run(3, memory);

    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.findings()).isEmpty();
    assertThat(Reference.of(param).check(memory.inputs(), memory.outputs())).isEmpty();
  }

  @Test
  void allStreamsOfANestedPlanStartAfterWhatComesBeforeIt() {
    VirtualCluster one = VirtualCluster.builder(Topology.flat(1)).build();
    BroadcastParam param = new BroadcastParam(one.comm(), DataType.INT32, 9, 0);
    GroupPlan onMain =
        one.record(
            new Sketch<>(
                p -> AlgResourceRequest.none(),
                (p, res) -> res.mainStream().copy(res.paramOutputMem(), res.paramInputMem())),
            param);
    GroupPlan onSlave =
        one.record(
            new Sketch<>(
                p -> AlgResourceRequest.none().withStreamNum(1),
                (p, res) -> {
                  Stream slave = res.slaveStreams().getFirst();
                  slave.copy(res.paramOutputMem(), res.paramInputMem());
                  slave.post(res.notifiesSlaveToMain().getFirst());
                  res.mainStream().await(res.notifiesSlaveToMain().getFirst());
                }),
            param);

    assertThat(PlanVerifier.verify(GroupPlan.sequence("both", List.of(onMain, onSlave, onMain))))
        .isEmpty();
  }

  @Test
  void poisonDiffersBetweenRuns() {
    AllReduceParam param =
        new AllReduceParam(
            cluster.comm(), "", AlgOptions.none(), DataType.INT8, ReduceOp.SUM, 4, true);
    PlanInterpreter interpreter =
        new PlanInterpreter(cluster.record(Algorithms.directAllReduce(), param));
    GroupMemory memory = interpreter.allocate();
    Set<Byte> seen = new HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      memory.poison(seed);
      seen.add(memory.mem(0, TransportMemType.SCRATCH).get(ValueLayout.JAVA_BYTE, 0));
    }
    assertThat(seen).hasSizeGreaterThan(5);
    assertThat(memory.mem(0, TransportMemType.CCL_INPUT).byteSize())
        .as("only what the plan touches is allocated")
        .isZero();
    assertThat(memory.input(0).mismatch(memory.output(0))).isEqualTo(-1);
  }
}
