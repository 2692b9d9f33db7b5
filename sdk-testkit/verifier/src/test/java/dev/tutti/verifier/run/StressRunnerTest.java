package dev.tutti.verifier.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class StressRunnerTest {

  private static final int RANKS = 4;

  private final VirtualCluster cluster = VirtualCluster.builder(Topology.flat(RANKS)).build();

  private StressRunner barrier(BiConsumer<BarrierParam, AlgResourceResponse> orchestrate) {
    return new StressRunner(
            cluster.record(
                new Sketch<>(Sketch::mesh, orchestrate), new BarrierParam(cluster.comm())))
        .withDeadline(Duration.ofMillis(50));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resultsAreRightOnBothKindsOfThreads(boolean onPlatformThreads) {
    BroadcastParam param = new BroadcastParam(cluster.comm(), DataType.INT32, 3000, 1);
    GroupPlan plan = cluster.record(Algorithms.flatBroadcast(), param);
    StressRunner runner = new StressRunner(plan).withPlatformThreads(onPlatformThreads);
    GroupMemory memory = runner.allocate();
    for (int seed = 0; seed < 20; seed++) {
      memory.poison(seed);
      TestData.of(seed).fillInput(param.withComm(cluster.comm().withRank(1)), memory.input(1));

      PlanInterpreter.Outcome outcome = runner.run(seed, memory, Caller.IDLE);

      assertThat(outcome.isComplete()).isTrue();
      assertThat(outcome.findings()).isEmpty();
      assertThat(outcome.ends()).allMatch(RankEnd::isCompleted);
      assertThat(Reference.of(param).check(memory.inputs(), memory.outputs())).isEmpty();
    }
  }

  @Test
  void manyMoreStreamsThanCoresGetOn() {
    VirtualCluster many = VirtualCluster.builder(Topology.flat(48)).build();
    GroupPlan plan =
        many.record(
            new Algorithms.RingAllGather(), new AllGatherParam(many.comm(), DataType.INT8, 3));
    StressRunner runner = new StressRunner(plan);

    assertThat(runner.run(1, runner.allocate(), Caller.IDLE).isComplete()).isTrue();
  }

  @Test
  void aDeadlockEndsInADiagnosis() {
    StressRunner runner =
        barrier(
            (param, res) -> {
              int rank = param.comm().rank();
              Sketch.link(res, (rank + 1) % RANKS).await(res.mainStream(), Link.READY);
              Sketch.link(res, (rank + RANKS - 1) % RANKS).post(res.mainStream(), Link.READY);
            });

    PlanInterpreter.Outcome outcome = runner.run(1, runner.allocate(), Caller.IDLE);

    assertThat(outcome.isComplete()).isFalse();
    assertThat(outcome.findings()).extracting(f -> f.rule()).containsExactly(Rule.DEADLOCK);
    assertThat(outcome.findings().getFirst().message())
        .contains("has waited for more than 50 ms: it waits for rank 1 stream 0")
        .endsWith("a cycle of waits, which no rank can leave");
    assertThat(outcome.ends()).allMatch(end -> end.state() == RankEnd.State.FAILED);
  }

  @Test
  void anAwaitThatNobodyPostsFailsItsRankAloneWhileOthersReturn() {
    StressRunner runner =
        barrier(
            (param, res) -> {
              if (param.comm().rank() == 2) {
                Sketch.link(res, 0).await(res.mainStream(), Link.FIN);
              }
            });

    PlanInterpreter.Outcome outcome = runner.run(1, runner.allocate(), Caller.IDLE);

    assertThat(outcome.ends().get(2).state()).isEqualTo(RankEnd.State.FAILED);
    assertThat(outcome.ends().get(0).isCompleted()).isTrue();
    assertThat(outcome.ends().get(2).toString()).contains("nothing posts that notify");
  }

  @Test
  void signalsThatAreLostOrLeftOverAreFound() {
    StressRunner runner =
        barrier(
            (param, res) -> {
              if (param.comm().rank() == 0) {
                Link link = Sketch.link(res, 1);
                link.post(res.mainStream(), Link.FIN);
                link.post(res.mainStream(), Link.FIN);
              }
            });

    PlanInterpreter.Outcome outcome = runner.run(1, runner.allocate(), Caller.IDLE);

    assertThat(outcome.findings())
        .extracting(finding -> finding.rule())
        .containsExactly(Rule.LOST_NOTIFY, Rule.LEFT_OVER_NOTIFY);
  }

  @Test
  void aCallerThatThrowsEndsTheRunWithItsError() {
    StressRunner runner = barrier((param, res) -> Sketch.exchange(param.comm(), res, Link.READY));
    Caller broken =
        new Caller() {
          @Override
          public void enters(int rank) {
            if (rank == 1) {
              throw new IllegalStateException("no buffer");
            }
          }
        };

    assertThatThrownBy(() -> runner.run(1, runner.allocate(), broken))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("java.lang.IllegalStateException: no buffer");
  }

  @Test
  void anInterruptEndsTheRun() {
    StressRunner runner = barrier((param, res) -> Sketch.exchange(param.comm(), res, Link.READY));
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> runner.run(1, runner.allocate(), Caller.IDLE))
        .isInstanceOf(TuttiException.class)
        .hasMessageEndingWith("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aDeadlineMustBePositive() {
    StressRunner runner = barrier((param, res) -> {});
    assertThatThrownBy(() -> runner.withDeadline(Duration.ZERO))
        .isInstanceOf(TuttiException.class)
        .hasMessage("a deadline must be longer than 0. Actual: PT0S");
  }
}
