package dev.tutti.verifier.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.Sources;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class PlannerTest {

  private static final int RANKS = 3;

  private final CommInfo comm = VirtualCluster.builder(Topology.flat(RANKS)).build().comm();
  private final AtomicBoolean isReleased = new AtomicBoolean();
  private final AtomicReference<Object> sink = new AtomicReference<>();
  private PlanningGuard guard =
      new PlanningGuard(new PlanningLimits(Duration.ofSeconds(20), 1L << 40, 1000));
  private int workers = 1;
  private Planner planner = new Planner(guard, new PlanRecorder(), workers);
  private List<Finding> findings = List.of();

  @AfterEach
  void releaseTheThreadsThatWereLeftRunning() {
    isReleased.set(true);
  }

  private Planned plan(Sketch<BarrierParam> executor) {
    return plan(executor, false);
  }

  private Planned plan(Sketch<BarrierParam> executor, boolean mayRefuse) {
    List<RankTask> tasks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      tasks.add(RankTask.of(executor, new BarrierParam(comm.withRank(rank))));
    }
    Findings found = new Findings();
    planner = new Planner(guard, new PlanRecorder(), workers);
    Planned planned = planner.plan("barrier", tasks, mayRefuse, found);
    findings = found.toList();
    return planned;
  }

  private static Sketch<BarrierParam> orchestrating(
      BiConsumer<BarrierParam, AlgResourceResponse> orchestrate) {
    return new Sketch<>(Sketch::mesh, orchestrate);
  }

  private static Sketch<BarrierParam> supporting(Function<BarrierParam, Support> supports) {
    return new Sketch<>(supports, Sketch::mesh, PlannerTest::exchange);
  }

  private static void exchange(BarrierParam param, AlgResourceResponse res) {
    Sketch.exchange(param.comm(), res, Link.READY);
  }

  private void limit(Duration time, long bytes) {
    guard = new PlanningGuard(new PlanningLimits(time, bytes, 1000));
  }

  private String only(Rule rule) {
    assertThat(findings).extracting(Finding::rule).containsExactly(rule);
    return findings.getFirst().message();
  }

  @Test
  void aGoodExecutorGivesItsPlanAndNoFinding() {
    Planned planned = plan(orchestrating(PlannerTest::exchange));

    assertThat(findings).isEmpty();
    assertThat(planned.isSupported()).isTrue();
    assertThat(planned.plan()).isNotNull();
    assertThat(planned.plan().rankSize()).isEqualTo(RANKS);
    assertThat(planned.plan().rank(2).hasSources()).isFalse();
    assertThat(planner.sources(planned).line(planned.plan().rank(2), 0)).contains("Sketch.java:");
  }

  @Test
  void anExceptionIsAFindingWithItsLine() {
    Planned planned =
        plan(
            orchestrating(
                (param, res) -> {
                  throw new IllegalStateException("no luck");
                }));

    assertThat(planned.plan()).isNull();
    assertThat(only(Rule.PLANNING_FAILED))
        .contains("orchestrate of", "rank 0 at PlannerTest.", "PlannerTest.java:", "no luck");
  }

  @Test
  void anExceptionOfSupportsIsAFindingWithItsLine() {
    plan(
        supporting(
            param -> {
              throw new AssertionError("no luck");
            }));

    assertThat(only(Rule.PLANNING_FAILED))
        .startsWith("supports of rank 0 failed at PlannerTest.")
        .endsWith("java.lang.AssertionError: no luck");
  }

  @Test
  void aCheckedExceptionThatNobodyDeclaredIsAFindingToo() {
    plan(orchestrating((param, res) -> sneak(new IOException("disk"))));

    assertThat(only(Rule.PLANNING_FAILED)).contains("PlannerTest.java:", "IOException: disk");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void endlessRecursionIsAFinding() {
    plan(orchestrating((param, res) -> recurse(0)));

    assertThat(only(Rule.PLANNING_FAILED)).contains("StackOverflowError");
  }

  @SuppressWarnings("InfiniteRecursion") // that is what the test is about
  private static int recurse(int depth) {
    return recurse(depth + 1) + 1;
  }

  @Test
  void nullInsteadOfAnAnswerIsAFinding() {
    plan(supporting(param -> null));
    assertThat(only(Rule.PLANNING_FAILED))
        .isEqualTo(
            "supports of rank 0 returned null; return Support.yes(), or Support.no with a reason");

    plan(new Sketch<>(param -> null, PlannerTest::exchange));
    assertThat(only(Rule.PLANNING_FAILED)).contains("calcResRequest of", "returned null");
  }

  @Test
  void anEndlessLoopThatCaresForNothingIsLeftRunningAndTheNextPlanIsMade() {
    limit(Duration.ofMillis(100), 1L << 40);

    plan(orchestrating((param, res) -> spin(isReleased)));

    assertThat(only(Rule.PLANNING_TOO_LONG))
        .startsWith(
            "orchestrate for barrier did not finish in 100 ms of processor time at"
                + " PlannerTest.spin(PlannerTest")
        .endsWith("; it does not react to an interrupt and was left running");
    assertThat(findings.getFirst().explanation()).contains("PlannerTest.spin");
    assertThat(guard.abandonedCount()).isEqualTo(1);

    assertThat(plan(orchestrating(PlannerTest::exchange)).plan()).isNotNull();
    plan(supporting(param -> spin(isReleased)));
    assertThat(only(Rule.PLANNING_TOO_LONG))
        .startsWith("supports of rank 0 for barrier did not finish in 100 ms of processor time")
        .endsWith("left running, as 1 before");
  }

  private static Support spin(AtomicBoolean isReleased) {
    while (!isReleased.get()) {
      Thread.onSpinWait();
    }
    return Support.yes();
  }

  @Test
  void aLoopOnAHelpersThreadIsFoundToo() {
    limit(Duration.ofMillis(150), 1L << 40);
    workers = RANKS;
    AtomicBoolean isHelped = new AtomicBoolean();

    plan(
        orchestrating(
            (param, res) -> {
              if (!Thread.currentThread().getName().startsWith("tutti-planning")) {
                isHelped.set(true);
                spin(isReleased);
              }
              while (!isHelped.get()) {
                Thread.onSpinWait();
              }
            }));

    assertThat(only(Rule.PLANNING_TOO_LONG)).contains(" at PlannerTest.spin(PlannerTest.java:");
  }

  @Test
  void allocationOnHelpersThreadsCounts() {
    limit(Duration.ofSeconds(40), 64 << 20);
    workers = RANKS;

    plan(
        orchestrating(
            (param, res) -> {
              while (!Thread.currentThread().isInterrupted()) {
                boolean isHelper = !Thread.currentThread().getName().startsWith("tutti-planning");
                sink.set(isHelper ? new byte[1 << 16] : "");
              }
            }));

    assertThat(only(Rule.PLANNING_TOO_LARGE)).contains("allocates more than 67,108,864 bytes");
  }

  @Test
  void severalWorkersCompareTheSamePlans() {
    workers = RANKS;
    AtomicInteger calls = new AtomicInteger();

    assertThat(plan(orchestrating(PlannerTest::exchange)).plan()).isNotNull();
    assertThat(findings).isEmpty();
    plan(
        orchestrating(
            (param, res) -> {
              if (calls.incrementAndGet() > RANKS && param.comm().rank() > 0) {
                exchange(param, res);
              }
            }));

    assertThat(only(Rule.NOT_PURE))
        .startsWith(
            "rank 1 plans differently when asked again: action 0 is missing the first time, and");
  }

  @Test
  void aWaitThatAnInterruptEndsLeavesNoThreadBehind() {
    Duration wait = Duration.ofMillis(100);
    guard = new PlanningGuard(new PlanningLimits(Duration.ofSeconds(20), wait, 1L << 40, 1000));

    plan(
        orchestrating(
            (param, res) -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }));

    assertThat(only(Rule.PLANNING_TOO_LONG))
        .startsWith("orchestrate for barrier did not finish in 100 ms and used the processor")
        .contains(" ms; it seems to wait for something at PlannerTest.")
        .doesNotContain("left running");
    assertThat(guard.abandonedCount()).isZero();
  }

  @Test
  void boundlessAllocationIsAFindingLongBeforeTheTimeIsUp() {
    limit(Duration.ofSeconds(40), 64 << 20);

    plan(
        orchestrating(
            (param, res) -> {
              while (!Thread.currentThread().isInterrupted()) {
                sink.set(new byte[1 << 16]);
              }
            }));

    assertThat(only(Rule.PLANNING_TOO_LARGE))
        .startsWith("orchestrate for barrier allocates more than 67,108,864 bytes at PlannerTest.");
    assertThat(guard.abandonedCount()).isZero();
  }

  @Test
  void runningOutOfMemoryIsAFinding() {
    plan(
        orchestrating(
            (param, res) -> {
              throw new OutOfMemoryError("Java heap space");
            }));

    assertThat(only(Rule.PLANNING_TOO_LARGE)).contains("PlannerTest.java:", "OutOfMemoryError");
  }

  @Test
  void endlessEmissionIsAFindingWithItsLine() {
    plan(
        orchestrating(
            (param, res) -> {
              while (true) {
                Sketch.links(param.comm(), res).getFirst().post(res.mainStream(), Link.FIN);
              }
            }));

    assertThat(only(Rule.PLANNING_TOO_LARGE))
        .contains("PlannerTest.java:", "emitted more than 1000 actions");
  }

  @Test
  void aPlanThatDependsOnWhatWasAskedBeforeIsNotPure() {
    AtomicInteger calls = new AtomicInteger();

    plan(
        orchestrating(
            (param, res) -> {
              exchange(param, res);
              if (calls.incrementAndGet() == RANKS + 2) {
                exchange(param, res);
              }
            }));

    assertThat(only(Rule.NOT_PURE))
        .matches(
            "rank 1 plans differently when asked again: action 4 is missing the first time, and"
                + " 'post READY to rank 0' on stream 0 at Sketch\\..*\\(Sketch\\.java:\\d+\\) the"
                + " second time \\(actions: 4, then 8\\); executors must be pure functions of their"
                + " arguments");
    assertThat(findings.getFirst().actions())
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.rank()).isEqualTo(1);
              assertThat(action.action()).isEqualTo(4);
            });
  }

  @Test
  void theFirstActionThatDiffersIsNamedAsItIsInBothPlans() {
    AtomicInteger calls = new AtomicInteger();

    plan(
        orchestrating(
            (param, res) -> {
              exchange(param, res);
              if (calls.incrementAndGet() % 2 == 0) {
                Sketch.links(param.comm(), res).getFirst().post(res.mainStream(), Link.FIN);
              } else {
                Sketch.links(param.comm(), res).getLast().post(res.mainStream(), Link.FIN_ACK);
              }
            }));

    assertThat(only(Rule.NOT_PURE))
        .containsPattern("action 4 is 'post FIN_ACK to rank 2' on stream 0 at PlannerTest\\.")
        .containsPattern("the first time, and 'post FIN to rank 1' on stream 0 at PlannerTest\\.")
        .contains("(actions: 5, then 5)");
    assertThat(findings.getFirst().actions())
        .hasSize(2)
        .allMatch(each -> each.source().contains(":"));
  }

  @Test
  void aPlanThatIsMadeOnlyOnceIsNotPure() {
    AtomicInteger calls = new AtomicInteger();

    Planned planned =
        plan(
            orchestrating(
                (param, res) -> {
                  exchange(param, res);
                  if (calls.incrementAndGet() > RANKS) {
                    throw new IllegalStateException("once only");
                  }
                }));

    assertThat(planned.plan()).isNull();
    assertThat(only(Rule.NOT_PURE))
        .startsWith("planned once, but not when asked again: orchestrate of ")
        .contains("PlannerTest.java:", "once only");
  }

  @Test
  void resourcesThatDifferAreNamed() {
    AtomicInteger calls = new AtomicInteger();

    plan(
        new Sketch<>(
            param -> Sketch.mesh(param).withScratchMemSize(64L * calls.incrementAndGet()),
            PlannerTest::exchange));

    assertThat(only(Rule.NOT_PURE))
        .contains(
            "the actions are the same, but the resources are not: 64 bytes of scratch, then ");
  }

  @Test
  void onlyTheAuthorsLinesAreShown() {
    limit(Duration.ofMillis(100), 1L << 40);

    plan(orchestrating((param, res) -> spinUntilInterrupted()));

    assertThat(findings.getFirst().explanation().lines())
        .hasSizeGreaterThan(1)
        .allMatch(line -> line.startsWith("at PlannerTest.") || line.startsWith("at Sketch."))
        .noneMatch(line -> line.contains("PlanningTask") || line.contains("java.base"))
        .first()
        .asString()
        .contains("PlannerTest.spinUntilInterrupted(PlannerTest.java:");
  }

  private static void spinUntilInterrupted() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aLineThatCostTheLimitOnceIsNotAskedForAgain() {
    AtomicInteger calls = new AtomicInteger();
    limit(Duration.ofMillis(150), 1L << 40);
    Planned planned =
        plan(
            orchestrating(
                (param, res) -> {
                  exchange(param, res);
                  if (calls.incrementAndGet() > 2 * RANKS) {
                    spinUntilInterrupted();
                  }
                }));

    Sources sources = planner.sources(planned);
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(sources.line(planned.plan().rank(rank), 0)).isEqualTo("?");
    }

    assertThat(calls).hasValue(2 * RANKS + 1);
  }

  @Test
  void anAnswerThatDependsOnWhatWasAskedBeforeIsNotPure() {
    AtomicInteger calls = new AtomicInteger();

    plan(
        supporting(param -> Support.when(calls.incrementAndGet() != RANKS + 1, "asked too often")));

    assertThat(only(Rule.NOT_PURE))
        .isEqualTo(
            "supports of rank 2 answers differently each time: yes, then no (asked too often)");
  }

  @Test
  void anAnswerThatDependsOnTheRankIsAFinding() {
    Planned planned =
        plan(supporting(param -> Support.when(param.comm().rank() != 1, "rank 1 is unlucky")));

    assertThat(only(Rule.SUPPORTS_DIFFERS))
        .isEqualTo(
            "supports must be the same on every rank. Actual: rank 0 says yes, rank 1 says no (rank"
                + " 1 is unlucky)");
    assertThat(planned.plan()).isNull();
  }

  @Test
  void aRefusalIsAFindingUnlessItIsAllowed() {
    Sketch<BarrierParam> refusing = supporting(param -> Support.no("never"));

    Planned planned = plan(refusing);
    assertThat(only(Rule.REFUSED)).isEqualTo("nothing was checked: never");
    assertThat(planned).isEqualTo(Planned.REFUSED);

    assertThat(plan(refusing, true)).isEqualTo(Planned.REFUSED);
    assertThat(findings).isEmpty();
  }

  @Test
  void ranksThatTakeNoPartAreNotAsked() {
    List<RankTask> tasks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      tasks.add(RankTask.idle(comm.withRank(rank)));
    }
    Findings found = new Findings();

    Planned planned =
        new Planner(guard, new PlanRecorder(), workers).plan("idle", tasks, false, found);

    assertThat(planned.plan()).isNotNull();
    assertThat(found.isEmpty()).isTrue();
  }

  @Test
  void aLineThatCannotBeFoundAgainIsUnknown() {
    AtomicInteger calls = new AtomicInteger();
    limit(Duration.ofMillis(150), 1L << 40);

    Planned planned =
        plan(
            orchestrating(
                (param, res) -> {
                  exchange(param, res);
                  if (calls.incrementAndGet() > 2 * RANKS) {
                    spin(isReleased);
                  }
                }));

    assertThat(findings).isEmpty();
    assertThat(planned.plan()).isNotNull();
    assertThat(planner.sources(planned).line(planned.plan().rank(0), 0)).isEqualTo("?");
  }

  @Test
  void planningThreadsAreDaemonsWithAName() {
    AtomicReference<Thread> seen = new AtomicReference<>();
    plan(orchestrating((param, res) -> seen.set(Thread.currentThread())));

    assertThat(seen.get().isDaemon()).isTrue();
    assertThat(seen.get().getName()).startsWith("tutti-planning-");
  }

  @Test
  void anInterruptOfTheCallerEndsTheWait() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> plan(orchestrating((param, res) -> spin(isReleased))))
        .isInstanceOf(TuttiException.class)
        .hasMessage("planning was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void limitsMustBePositive() {
    assertThatThrownBy(() -> new PlanningLimits(Duration.ZERO, 1, 1))
        .isInstanceOf(TuttiException.class)
        .hasMessage(
            "limits of planning must be greater than 0. Actual: time=PT0S, bytes=1, actions=1");
  }

  @Test
  void resourcesThatNobodyAsksForAreNone() {
    plan(new Sketch<>(param -> AlgResourceRequest.none(), (param, res) -> {}));

    assertThat(findings).isEmpty();
  }
}
