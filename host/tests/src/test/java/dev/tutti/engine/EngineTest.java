package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.Await;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EngineTest {

  private static final long SECONDS_10 = 10_000_000_000L;

  private static final EngineConfig CONFIG = new EngineConfig(3, 2_000, 50_000, 64 << 10, 4 << 20);

  private final Engine engine = new Engine(CONFIG);

  /** Time passes for it only while its threads wait. */
  private final TickingClock clock = new TickingClock(Duration.ofNanos(100));

  /** For callers that wait in vain: on a busy machine, other processes work between two looks. */
  private final TickingClock fast = new TickingClock(Duration.ofMillis(1));

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  @ParameterizedTest
  @CsvSource({
    "STATIC, 1, 5",
    "STATIC, 2, 1",
    "STATIC, 3, 100",
    "STATIC, 4, 100000",
    "STATIC, 7, 65537",
    "STATIC, 16, 40001",
    "STATIC, 64, 9999",
    "DYNAMIC, 1, 500000",
    "DYNAMIC, 2, 1",
    "DYNAMIC, 3, 100",
    "DYNAMIC, 4, 100000",
    "DYNAMIC, 7, 65537",
    "DYNAMIC, 64, 9999",
    "AUTO, 1, 500000",
    "AUTO, 3, 300000",
    "AUTO, 5, 123457"
  })
  void everyModeComputesTheSumOfAllInputsOnEveryRank(
      CompileOptions.Mode mode, int ranks, long count) {
    for (CollExecutorBase<AllReduceParam> executor :
        List.of(new TestExecutors.TwoStage(), new TestExecutors.Star())) {
      try (AllReduceCase work = AllReduceCase.of(executor, ranks, count)) {
        Binding binding = bind(work, CompileOptions.defaults().withMode(mode));
        for (int round = 0; round < 5; round++) {
          work.fill(round);
          binding.run(SECONDS_10);
          assertThat(work.mismatch(round)).as("%s %s", executor, binding.compiled()).isEmpty();
        }
      }
    }
  }

  @Test
  void smallPlansRunInOneListAndLargeOnesInSeveral() {
    assertThat(compile(new TestExecutors.TwoStage(), 6, 16).listCount()).isEqualTo(1);
    assertThat(compile(new TestExecutors.TwoStage(), 6, 1 << 20).listCount()).isEqualTo(6);
  }

  @Test
  void unevenWorkMakesThePlanDynamic() {
    assertThat(compile(new TestExecutors.Star(), 4, 1 << 20).isDynamic()).isTrue();
    assertThat(compile(new TestExecutors.Star(), 4, 16).isDynamic()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(CompileOptions.Mode.class)
  void aDeadlockIsExplainedWithItsCycleWhenThePlanIsCompiled(CompileOptions.Mode mode) {
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.Deadlocking(), 3, 8);
    assertThatThrownBy(() -> engine.compile(plan, CompileOptions.defaults().withMode(mode)))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLOCK))
        .hasMessageContaining("rank 0 stream 0 action 0: await FIN from rank 2, at")
        .hasMessageContaining("TestExecutors$Deadlocking.orchestrate(TestExecutors.java:")
        .hasMessageContaining("which closes the cycle at rank 0");
  }

  @Test
  void anAwaitThatNobodyPostsIsExplained() {
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.Forgetful(), 2, 8);
    assertThatThrownBy(() -> engine.compile(plan, CompileOptions.defaults()))
        .hasMessageContaining("rank 0 stream 0 action 0: await FIN from rank 1")
        .hasMessageContaining("and no stream that could post it has such a post left");
  }

  @Test
  void aSequenceRunsItsPlansOneAfterAnother() {
    int ranks = 4;
    long count = 70_000;
    GroupPlan star = AllReduceCase.plan(new TestExecutors.Star(), ranks, count);
    GroupPlan twoStage = AllReduceCase.plan(new TestExecutors.TwoStage(), ranks, count);
    GroupPlan both = GroupPlan.sequence("both", List.of(star, twoStage, star));
    for (CompileOptions.Mode mode : CompileOptions.Mode.values()) {
      try (AllReduceCase work = new AllReduceCase(both, count)) {
        Binding binding = bind(work, CompileOptions.defaults().withMode(mode));
        work.fill(1);
        binding.run(SECONDS_10);
        assertThat(work.mismatch(1)).isEmpty();
      }
    }
  }

  @Test
  void callbacksHearOfEveryRankOnceInEveryRun() {
    AtomicIntegerArray calls = new AtomicIntegerArray(5);
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 5, 1000)) {
      Binding binding =
          bind(work, CompileOptions.defaults().withRankDone(rank -> calls.incrementAndGet(rank)));
      assertThat(binding.compiled().isDynamic()).isTrue();
      for (int round = 0; round < 3; round++) {
        work.fill(round);
        binding.run(SECONDS_10);
        assertThat(work.mismatch(round)).isEmpty();
      }
    }
    assertThat(calls).hasToString("[3, 3, 3, 3, 3]");
  }

  @Test
  void aCallbackSeesTheResultOfItsRank() {
    ConcurrentHashMap<Integer, Integer> seen = new ConcurrentHashMap<>();
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 4)) {
      work.fill(0);
      bind(
              work,
              CompileOptions.defaults()
                  .withRankDone(
                      rank ->
                          seen.put(
                              rank,
                              work.output(rank)
                                  .getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, 0))))
          .run(SECONDS_10);
    }
    assertThat(seen).containsEntry(0, 3000).containsEntry(1, 3000).containsEntry(2, 3000);
  }

  @Test
  void aFailingCallbackFailsTheRunAndTheBinding() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 1000)) {
      Binding binding =
          bind(
              work,
              CompileOptions.defaults()
                  .withRankDone(
                      rank -> {
                        throw new IllegalArgumentException("no");
                      }));
      assertThatThrownBy(() -> binding.run(SECONDS_10))
          .isInstanceOfSatisfying(
              TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_FAILED))
          .hasMessage("the run failed: java.lang.IllegalArgumentException: no");
      assertThatThrownBy(() -> binding.run(SECONDS_10))
          .hasMessage("cannot start: an earlier run failed");
    }
  }

  @Test
  void aBlockedRunEndsAtItsDeadlineWithADiagnosis() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Engine waiting = new Engine(CONFIG, new Waiting(fast, 3));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 1000)) {
      Binding binding = bind(waiting, work, blocking(entered, release));
      binding.start();
      // The caller does not take part before a helper is blocked, which it cannot release.
      entered.await();
      assertThatThrownBy(() -> binding.await(SECONDS_10 / 100))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("tasklets are not done")
          .hasMessageContaining("deadline, and a thread is still working on its memory:");
    } finally {
      release.countDown();
    }
  }

  /** Blocks the helpers at the end of a rank, and not the caller. */
  private static CompileOptions blocking(CountDownLatch entered, CountDownLatch release) {
    Thread caller = Thread.currentThread();
    return CompileOptions.defaults()
        .withRankDone(
            rank -> {
              if (!Thread.currentThread().equals(caller)) {
                entered.countDown();
                awaitQuietly(release);
              }
            });
  }

  @Test
  void aRunThatIsTestedIsLateWhenItsTimeIsOverAndNotBefore() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Engine waiting = new Engine(CONFIG, new Waiting(fast, 3));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 1000)) {
      Binding binding = bind(waiting, work, blocking(entered, release));
      binding.start(SECONDS_10);
      entered.await();
      assertThat(binding.test()).isFalse();
      fast.advance(Duration.ofNanos(SECONDS_10 / 2));
      assertThat(binding.test()).isFalse();
      fast.advance(Duration.ofNanos(SECONDS_10 / 2));
      assertThatThrownBy(binding::test)
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    } finally {
      release.countDown();
    }
  }

  /** A caller that did nothing but spin and yield would keep a processor from the helpers. */
  @Test
  void aCallerParksWhenItHasWaitedForLong() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Engine waiting = new Engine(CONFIG, new Waiting(clock, 3));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 1000).fill(1)) {
      Binding binding = bind(waiting, work, blocking(entered, release));
      binding.start();
      entered.await();
      Thread releasing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Await.until(() -> clock.sleeps() > 0);
                    release.countDown();
                  });
      binding.await(Long.MAX_VALUE);
      releasing.join();
      assertThat(work.mismatch(1)).isEmpty();
    } finally {
      release.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource(CompileOptions.Mode.class)
  void aRunThatTakesTooLongEndsInTheMiddle(CompileOptions.Mode mode) {
    int count = 4 << 20;
    GroupPlan once = AllReduceCase.plan(new TestExecutors.TwoStage(), 4, count);
    GroupPlan often = GroupPlan.sequence("often", List.of(once, once, once, once));
    try (Engine waiting = new Engine(CONFIG, new Waiting(clock, 3));
        AllReduceCase work = new AllReduceCase(often, count)) {
      Binding binding = bind(waiting, work, CompileOptions.defaults().withMode(mode));
      assertThatThrownBy(() -> binding.run(1))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageStartingWith("the run did not finish within its deadline:");
      assertThatThrownBy(binding::start).hasMessage("cannot start: an earlier run failed");
    }
  }

  /** The engine has room for 64 runs that want help. */
  @Test
  void runsThatWereGivenUpWantNoHelp() {
    TickingClock fast = new TickingClock(Duration.ofSeconds(1));
    try (Engine waiting = new Engine(CONFIG, new Waiting(fast, 3));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 1000).fill(1)) {
      for (int run = 0; run < 70; run++) {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Binding binding = bind(waiting, work, blocking(entered, release));
        binding.start(1);
        awaitQuietly(entered);
        assertThatThrownBy(binding::test).isInstanceOf(TuttiException.class);
        release.countDown();
      }
      assertThat(waiting.helpers().publishKept(worker -> false)).isNotNegative();
    }
  }

  @Test
  void aRunWakesAHelperThatSleeps() {
    Set<Thread> others = Thread.getAllStackTraces().keySet();
    try (Engine own = new Engine(CONFIG);
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, 100000).fill(1)) {
      Binding binding = bind(own, work, CompileOptions.defaults());
      Await.until(() -> helpersSleep(others));

      binding.start();
      Await.until(binding::isComplete);

      binding.await(SECONDS_10);
      assertThat(work.mismatch(1)).isEmpty();
    }
  }

  private static boolean helpersSleep(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tutti-engine-"))
        .filter(thread -> !others.contains(thread))
        .allMatch(thread -> thread.getState() == Thread.State.WAITING);
  }

  @Test
  void aClosedEngineBindsNoPlan() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 10)) {
      CompiledPlan compiled = engine.compile(work.plan(), CompileOptions.defaults());
      engine.close();

      assertThatThrownBy(() -> engine.bind(compiled, work.memory()))
          .hasMessage("the engine is closed");
    }
  }

  @Test
  void memoryOfAClosedArenaIsACodedErrorInEveryMode() {
    for (int count : new int[] {10, 1 << 20}) {
      AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, count);
      Binding binding = bind(work, CompileOptions.defaults());
      work.close();
      assertThatThrownBy(() -> binding.run(SECONDS_10))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.BUFFER_UNAVAILABLE));
    }
  }

  @Test
  void aBindingRefusesTheWrongState() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 10)) {
      Binding binding = bind(work, CompileOptions.defaults());
      assertThatThrownBy(binding::test)
          .hasMessage("cannot test: no run is under way; start one first");
      binding.start();
      assertThatThrownBy(binding::start)
          .hasMessage("cannot start: a run is under way; await it first");
      assertThat(binding.test()).isTrue();
      assertThatThrownBy(() -> binding.await(1))
          .hasMessage("cannot await: no run is under way; start one first");
    }
  }

  @Test
  void bindingChecksTheSizeOfEveryMemory() {
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.TwoStage(), 2, 10);
    CompiledPlan compiled = engine.compile(plan, CompileOptions.defaults());
    try (AllReduceCase work = new AllReduceCase(plan, 10);
        Arena arena = Arena.ofShared()) {
      work.memory()[1][TransportMemType.PARAM_INPUT.ordinal()] = arena.allocate(39);
      assertThatThrownBy(() -> engine.bind(compiled, work.memory()))
          .hasMessage("param-input memory of rank 1 needs 40 bytes. Actual: 39 bytes");
    }
  }

  @Test
  void rebindingMovesTheNextRunToOtherMemory() {
    try (AllReduceCase first = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 99);
        AllReduceCase second = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 99)) {
      Binding binding = bind(first, CompileOptions.defaults());
      first.fill(1);
      binding.run(SECONDS_10);
      second.fill(2);
      for (int rank = 0; rank < 3; rank++) {
        binding.rebind(rank, TransportMemType.PARAM_INPUT, second.input(rank));
        binding.rebind(rank, TransportMemType.PARAM_OUTPUT, second.output(rank));
      }
      binding.run(SECONDS_10);
      assertThat(first.mismatch(1)).isEmpty();
      assertThat(second.mismatch(2)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"STATIC, 2", "STATIC, 300000", "DYNAMIC, 2", "DYNAMIC, 300000"})
  void aReplayAllocatesNothing(CompileOptions.Mode mode, long count) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().threadId();
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, count)) {
      dev.tutti.engine.kernel.Kernels.warm(
          dev.tutti.sdk.DataType.INT32, dev.tutti.sdk.ReduceOp.SUM, Duration.ofSeconds(20));
      Binding binding = bind(work.fill(0), CompileOptions.defaults().withMode(mode));
      int runs = count > 1000 ? 40 : 20_000;
      run(binding, runs);
      long least = Long.MAX_VALUE;
      for (int attempt = 0; attempt < 5; attempt++) {
        long before = threads.getThreadAllocatedBytes(self);
        run(binding, runs);
        least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
      }
      assertThat(least).isZero();
    }
  }

  private static void run(Binding binding, int times) {
    for (int i = 0; i < times; i++) {
      binding.run(SECONDS_10);
    }
  }

  @Test
  void oneWorkerFinishesPlansOfSeveralLists() {
    try (Engine alone = new Engine(EngineConfig.defaults().withWorkers(1));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, 100_000)) {
      CompiledPlan compiled =
          engine.compile(
              work.plan(), CompileOptions.defaults().withMode(CompileOptions.Mode.STATIC));
      assertThat(compiled.listCount()).isEqualTo(4);
      Binding binding = alone.bind(compiled, work.memory());
      work.fill(3);
      binding.run(SECONDS_10);
      assertThat(work.mismatch(3)).isEmpty();
    }
  }

  @Test
  void manyRunsOfManyBindingsAtOnceStayApart() throws InterruptedException {
    List<Thread> callers = new java.util.ArrayList<>();
    ConcurrentHashMap<Integer, String> wrong = new ConcurrentHashMap<>();
    for (int caller = 0; caller < 4; caller++) {
      int id = caller;
      callers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (AllReduceCase work =
                        AllReduceCase.of(new TestExecutors.TwoStage(), 2 + id, 30_000 + id)) {
                      CompileOptions.Mode mode =
                          CompileOptions.Mode.values()[id % CompileOptions.Mode.values().length];
                      Binding binding = bind(work, CompileOptions.defaults().withMode(mode));
                      for (int round = 0; round < 60; round++) {
                        work.fill(round);
                        binding.run(SECONDS_10);
                        String mismatch = work.mismatch(round);
                        if (!mismatch.isEmpty()) {
                          wrong.put(id, mismatch);
                        }
                      }
                    } catch (RuntimeException e) {
                      wrong.put(id, e.toString());
                    }
                  }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(wrong).isEmpty();
  }

  private CompiledPlan compile(CollExecutorBase<AllReduceParam> executor, int ranks, long count) {
    return engine.compile(AllReduceCase.plan(executor, ranks, count), CompileOptions.defaults());
  }

  private Binding bind(AllReduceCase work, CompileOptions options) {
    return bind(engine, work, options);
  }

  private static Binding bind(Engine other, AllReduceCase work, CompileOptions options) {
    return other.bind(other.compile(work.plan(), options), work.memory());
  }
}
