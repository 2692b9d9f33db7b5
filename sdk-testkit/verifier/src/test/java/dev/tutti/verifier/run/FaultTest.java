package dev.tutti.verifier.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Algorithms;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class FaultTest {

  private static final long DEADLINE = 1000;

  private final VirtualCluster cluster = VirtualCluster.builder(Topology.flat(3)).build();

  /** Rank 2 signals to rank 1, which signals to rank 0, which answers rank 2. */
  private final PlanInterpreter chain =
      barrier(
          (param, res) -> {
            Stream main = res.mainStream();
            switch (param.comm().rank()) {
              case 0 -> {
                Sketch.link(res, 1).await(main, Link.READY);
                Sketch.link(res, 2).post(main, Link.FIN);
              }
              case 1 -> {
                Sketch.link(res, 2).await(main, Link.READY);
                Sketch.link(res, 0).post(main, Link.READY);
              }
              default -> {
                Sketch.link(res, 1).post(main, Link.READY);
                Sketch.link(res, 0).await(main, Link.FIN);
              }
            }
          });

  private PlanInterpreter barrier(BiConsumer<BarrierParam, AlgResourceResponse> orchestrate) {
    return new PlanInterpreter(
        new PlanRecorder()
            .record(
                "barrier",
                new Sketch<>(p -> Sketch.mesh(p).withStreamNum(1), orchestrate),
                new BarrierParam(cluster.comm())));
  }

  private static PlanInterpreter.Outcome run(PlanInterpreter interpreter, Fault... faults) {
    return interpreter.run(5, interpreter.allocate(), Caller.IDLE, List.of(faults), DEADLINE);
  }

  private static List<RankEnd.State> states(PlanInterpreter.Outcome outcome) {
    return outcome.ends().stream().map(RankEnd::state).toList();
  }

  @Test
  void aDelayWithinTheDeadlineIsJustAnotherOrder() {
    for (int event = 0; event < chain.eventCount(2, 0); event++) {
      PlanInterpreter.Outcome outcome =
          run(chain, new Fault.Delay(new Point(2, 0, event), DEADLINE / 2));

      assertThat(outcome.isComplete()).isTrue();
      assertThat(outcome.isReported()).isFalse();
      assertThat(states(outcome)).containsOnly(RankEnd.State.COMPLETED);
      assertThat(outcome.steps()).isGreaterThan(DEADLINE / 2);
    }
  }

  @Test
  void aDelayBeyondTheDeadlineFailsEveryRankWithOneDiagnosisThatNamesTheLateOne() {
    PlanInterpreter.Outcome outcome =
        run(chain, new Fault.Delay(new Point(2, 0, 1), 10 * DEADLINE));

    assertThat(states(outcome)).containsOnly(RankEnd.State.FAILED);
    assertThat(outcome.ends()).extracting(RankEnd::diagnosis).containsOnly(diagnosis(outcome, 0));
    Diagnosis diagnosis = diagnosis(outcome, 1);
    assertThat(diagnosis.rank()).isEqualTo(2);
    assertThat(diagnosis.message())
        .contains("'await READY from rank 2' at FaultTest", "has waited for more than 1000 steps")
        .contains("rank 2 stream 0 'post READY to rank 1' at FaultTest")
        .endsWith("root cause: rank 2 is late");
  }

  @Test
  void theRootCauseOfADeathIsFoundThroughAThirdRank() {
    PlanInterpreter.Outcome outcome = run(chain, new Fault.Kill(new Point(2, 0, 1)));

    assertThat(states(outcome))
        .containsExactly(RankEnd.State.FAILED, RankEnd.State.FAILED, RankEnd.State.DEAD);
    Diagnosis diagnosis = diagnosis(outcome, 0);
    assertThat(diagnosis.rank()).isEqualTo(2);
    assertThat(diagnosis.message()).endsWith("root cause: rank 2 has died");
    assertThat(diagnosis.chain().getLast().rank()).isEqualTo(2);
  }

  @Test
  void aRankThatDiesAfterItsLastPartHarmsNobody() {
    int returning = chain.eventCount(0, 0) - 1;

    PlanInterpreter.Outcome outcome = run(chain, new Fault.Kill(new Point(0, 0, returning)));

    assertThat(states(outcome))
        .containsExactly(RankEnd.State.DEAD, RankEnd.State.COMPLETED, RankEnd.State.COMPLETED);
    assertThat(outcome.isReported()).isFalse();
  }

  @Test
  void aDroppedSignalIsBlamedOnTheRankThatPostedIt() {
    PlanInterpreter.Outcome outcome = run(chain, new Fault.Drop(new Point(1, 0, 2)));

    Diagnosis diagnosis = diagnosis(outcome, 0);
    assertThat(diagnosis.rank()).isEqualTo(1);
    assertThat(diagnosis.message())
        .contains("root cause: the signal of rank 1 stream 0 'post READY to rank 0'")
        .endsWith("has been lost");
    assertThat(outcome.ends().get(1).state())
        .as("it had nothing to wait for")
        .isEqualTo(RankEnd.State.COMPLETED);
  }

  @Test
  void aDuplicatedSignalIsFoundByTheNotifies() {
    for (long steps : new long[] {0, 3, 400}) {
      PlanInterpreter.Outcome outcome = run(chain, new Fault.Duplicate(new Point(1, 0, 2), steps));
      if (steps == 400) {
        assertThat(outcome.findings())
            .extracting(Finding::rule)
            .containsExactly(Rule.LEFT_OVER_NOTIFY);
      }
      assertThat(states(outcome)).doesNotContain(RankEnd.State.HUNG);
    }
  }

  @Test
  void aNotifyThatIsSetBeforeItsPostLosesThatSignalAndFailsTheGroup() {
    PlanInterpreter.Outcome outcome = run(chain, new Fault.Raise(new Point(2, 0, 1)));

    // Rank 1 may take the false signal at once; then the true one is left over.
    assertThat(outcome.isReported()).isTrue();
    assertThat(outcome.findings().getFirst().rule()).isIn(Rule.LOST_NOTIFY, Rule.LEFT_OVER_NOTIFY);
  }

  @Test
  void aCycleOfWaitsIsNamedAsSuch() {
    PlanInterpreter cycle =
        barrier(
            (param, res) -> {
              int rank = param.comm().rank();
              Sketch.link(res, (rank + 1) % 3).await(res.mainStream(), Link.READY);
              Sketch.link(res, (rank + 2) % 3).post(res.mainStream(), Link.READY);
            });

    assertThat(diagnosis(run(cycle), 0).message())
        .endsWith("root cause: a cycle of waits, which no rank can leave");
  }

  @Test
  void anAwaitThatNobodyPostsIsNamedAsSuch() {
    PlanInterpreter forgotten =
        barrier(
            (param, res) -> {
              if (param.comm().rank() == 1) {
                Sketch.link(res, 0).await(res.mainStream(), Link.READY);
              }
            });

    PlanInterpreter.Outcome outcome = run(forgotten);

    assertThat(outcome.ends().get(1).diagnosis()).isNotNull();
    assertThat(outcome.ends().get(1).toString())
        .contains("rank 1 FAILED: rank 1 stream 0 'await READY from rank 0'")
        .endsWith("root cause: nothing posts that notify");
  }

  @Test
  void whatAReturnedCallLeavesWaitingIsStuckAndNobodyIsTold() {
    PlanInterpreter unjoined =
        barrier(
            (param, res) -> {
              Stream slave = res.slaveStreams().getFirst();
              res.mainStream().fork(res.slaveStreams());
              if (param.comm().rank() == 0) {
                Sketch.link(res, 1).await(slave, Link.READY);
              } else if (param.comm().rank() == 1) {
                Sketch.link(res, 0).post(res.mainStream(), Link.READY);
              }
            });
    Fault death = new Fault.Kill(new Point(1, 0, 2));

    assertThat(run(unjoined).isComplete()).isTrue();
    RankEnd end = run(unjoined, death).ends().getFirst();

    assertThat(end.state()).isEqualTo(RankEnd.State.COMPLETED);
    assertThat(end.stuckAt()).isNotNull();
    assertThat(end.toString()).contains("stuck at rank 0 stream 1 'await READY from rank 1'");
  }

  @Test
  void whatAReturnedCallLeavesWaitingFailsNobodyElse() {
    PlanInterpreter unjoined =
        barrier(
            (param, res) -> {
              if (param.comm().rank() == 0) {
                res.mainStream().fork(res.slaveStreams());
                Sketch.link(res, 1).await(res.slaveStreams().getFirst(), Link.READY);
              } else if (param.comm().rank() == 1) {
                Sketch.link(res, 0).post(res.mainStream(), Link.READY);
              }
            });

    PlanInterpreter.Outcome outcome =
        run(
            unjoined,
            new Fault.Kill(new Point(1, 0, 1)),
            new Fault.Delay(new Point(2, 0, 1), 5 * DEADLINE));

    assertThat(outcome.ends().get(0).stuckAt()).isNotNull();
    assertThat(states(outcome))
        .as("rank 2 is slow, and still inside its call when the deadline of rank 0 has passed")
        .containsExactly(RankEnd.State.COMPLETED, RankEnd.State.DEAD, RankEnd.State.COMPLETED);
  }

  @Test
  void eachWaitHasTheWholeDeadline() {
    PlanInterpreter twice =
        barrier(
            (param, res) -> {
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                Sketch.link(res, 1).await(main, Link.READY);
                Sketch.link(res, 1).await(main, Link.FIN);
              } else if (param.comm().rank() == 1) {
                Sketch.link(res, 0).post(main, Link.READY);
                Sketch.link(res, 0).post(main, Link.FIN);
              }
            });

    PlanInterpreter.Outcome outcome =
        run(
            twice,
            new Fault.Delay(new Point(1, 0, 1), DEADLINE * 7 / 10),
            new Fault.Delay(new Point(1, 0, 2), DEADLINE * 7 / 10));

    assertThat(states(outcome)).containsOnly(RankEnd.State.COMPLETED);
  }

  @Test
  void aLostSignalFailsTheGroupAtOnce() {
    PlanInterpreter losing =
        barrier(
            (param, res) -> {
              Stream main = res.mainStream();
              if (param.comm().rank() == 0) {
                Sketch.link(res, 1).post(main, Link.READY);
                Sketch.link(res, 1).post(main, Link.READY);
                Sketch.link(res, 1).await(main, Link.FIN);
              } else if (param.comm().rank() == 1) {
                Sketch.link(res, 0).await(main, Link.READY);
                Sketch.link(res, 0).await(main, Link.READY);
                Sketch.link(res, 0).post(main, Link.FIN);
              }
            });

    PlanInterpreter.Outcome outcome =
        run(losing, new Fault.Delay(new Point(1, 0, 1), DEADLINE / 2));

    assertThat(outcome.ends().get(0).toString())
        .contains("FAILED: rank 0 stream 0 'post READY to rank 1'")
        .endsWith("finds its notify still set: the signal is lost");
    assertThat(diagnosis(outcome, 1)).isEqualTo(diagnosis(outcome, 0));
    assertThat(outcome.steps()).isLessThan(DEADLINE / 2);
  }

  @Test
  void withoutADeadlineAStuckRankHangs() {
    PlanInterpreter.Outcome outcome =
        chain.run(
            1,
            chain.allocate(),
            Caller.IDLE,
            List.of(new Fault.Kill(new Point(1, 0, 0))),
            Long.MAX_VALUE);

    assertThat(states(outcome))
        .containsExactly(RankEnd.State.HUNG, RankEnd.State.DEAD, RankEnd.State.HUNG);
    assertThat(outcome.ends().getFirst().stuckAt()).isNotNull();
  }

  @Test
  void aFilledBufferHoldsTheFillingUntilItIsWritten() {
    AllReduceParam param = new AllReduceParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 4);
    GroupPlan plan = cluster.record(Algorithms.directAllReduce(), param);
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    DeviceMem input = new DeviceMem(1, TransportMemType.PARAM_INPUT, 4, 8);

    interpreter.run(
        3, memory, Caller.IDLE, List.of(new Fault.Fill(new Point(0, 0, 0), input)), Long.MAX_VALUE);

    byte[] bytes = memory.input(1).toArray(ValueLayout.JAVA_BYTE);
    assertThat(bytes[0]).isZero();
    assertThat(bytes[4]).isNotZero().isEqualTo(bytes[11]);
    assertThat(bytes[12]).isZero();
  }

  @Test
  void onceTheGroupHasFailedNothingMoves() {
    AllReduceParam param = new AllReduceParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 4);
    PlanInterpreter interpreter =
        new PlanInterpreter(cluster.record(Algorithms.directAllReduce(), param));
    GroupMemory memory = interpreter.allocate();
    List<Integer> failed = new ArrayList<>();
    Caller caller =
        new Caller() {
          @Override
          public void fails(int rank) {
            failed.add(rank);
            memory.output(rank).fill((byte) 7);
          }
        };

    interpreter.run(
        3, memory, caller, List.of(new Fault.Delay(new Point(1, 0, 1), 9 * DEADLINE)), DEADLINE);

    assertThat(failed).containsExactly(0, 1, 2);
    for (int rank : failed) {
      assertThat(memory.output(rank).toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
    }
  }

  @Test
  void aRunIsDeterminedByPlanSeedAndFaults() {
    for (int seed = 0; seed < 20; seed++) {
      List<Fault> faults =
          List.of(new Fault.Delay(new Point(1, 0, 1), 2000), new Fault.Drop(new Point(0, 0, 2)));
      assertThat(chain.run(seed, chain.allocate(), Caller.IDLE, faults, 100))
          .isEqualTo(chain.run(seed, chain.allocate(), Caller.IDLE, faults, 100));
    }
  }

  @Test
  void aDelayForEverEndsInADiagnosisToo() {
    PlanInterpreter.Outcome outcome =
        run(chain, new Fault.Delay(new Point(2, 0, 1), Long.MAX_VALUE));

    assertThat(states(outcome)).containsOnly(RankEnd.State.FAILED);
  }

  @Test
  void faultsThatDoNotFitThePlanAreRefused() {
    assertThatThrownBy(() -> run(chain, new Fault.Kill(new Point(0, 0, 99))))
        .isInstanceOf(TuttiException.class)
        .hasMessage("a fault must be at an event of the plan. Actual: rank 0 stream 0 event 99");
    assertThatThrownBy(() -> run(chain, new Fault.Kill(new Point(0, 1, 0))))
        .as("rank 0's next stream would be rank 1's")
        .isInstanceOf(TuttiException.class);
    assertThatThrownBy(() -> run(chain, new Fault.Drop(new Point(0, 0, 1))))
        .isInstanceOf(TuttiException.class)
        .hasMessageStartingWith("a Drop needs a post. Actual: rank 0 stream 0 'await READY");
    assertThatThrownBy(() -> new Fault.Delay(new Point(0, 0, 0), -1))
        .isInstanceOf(TuttiException.class)
        .hasMessage("steps must be 0 or more. Actual: -1");
    assertThatThrownBy(() -> chain.run(1, chain.allocate(), Caller.IDLE, List.of(), 0))
        .isInstanceOf(TuttiException.class)
        .hasMessage("a deadline must be 1 step or more. Actual: 0");
  }

  @Test
  void aPointIsFoundByItsNumbers() {
    assertThat(chain.streamCount(0)).isEqualTo(1);
    assertThat(chain.eventCount(0, 0)).isEqualTo(4);
    assertThat(chain.at(new Point(0, 0, 1)).text()).isEqualTo("await READY from rank 1");
    assertThat(chain.at(new Point(0, 0, 0)).text()).contains("before the operation");
  }

  private static Diagnosis diagnosis(PlanInterpreter.Outcome outcome, int rank) {
    Diagnosis diagnosis = outcome.ends().get(rank).diagnosis();
    assertThat(diagnosis).isNotNull();
    return diagnosis;
  }
}
