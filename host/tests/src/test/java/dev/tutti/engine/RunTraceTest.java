package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The trace of a run. */
final class RunTraceTest {

  private static final long SECONDS_10 = 10_000_000_000L;

  /** A look at it is a nanosecond. */
  private final TickingClock clock = new TickingClock(Duration.ofNanos(1));

  private static EngineConfig config(int workers) {
    return new EngineConfig(workers, 2_000, 50_000, 64 << 10, 4 << 20);
  }

  private static Binding bind(Engine engine, AllReduceCase work, CompileOptions.Mode mode) {
    CompileOptions options = CompileOptions.defaults().withMode(mode);
    return engine.bind(engine.compile(work.plan(), options), work.memory());
  }

  /** Rank and number of the data actions that the program still has, from its own tasks. */
  private static Set<String> kept(CompiledPlan compiled) {
    List<TaskArrays> programs = new ArrayList<>(compiled.lists());
    if (compiled.graph() != null) {
      programs.add(compiled.graph().tasks);
    }
    Set<String> kept = new TreeSet<>();
    for (TaskArrays tasks : programs) {
      for (int task = 0; task < tasks.size; task++) {
        if (Tiling.isData(tasks.op[task])) {
          kept.add(
              compiled.frames().parts().get(tasks.part[task]).plan.rank()
                  + "."
                  + tasks.action[task]);
        }
      }
    }
    return kept;
  }

  private static List<String> actions(RunTrace trace) {
    return trace.actions().stream()
        .map(action -> action.ref().rank() + "." + action.ref().action())
        .toList();
  }

  private static void assertSpansAreInsideTheRun(RunTrace trace) {
    assertThat(trace.actions())
        .allSatisfy(
            action -> {
              assertThat(action.fromNanos()).isNotNegative();
              assertThat(action.toNanos()).isBetween(action.fromNanos(), trace.nanos());
            });
  }

  /** The actions of a list follow each other, or ran tile by tile at the same time. */
  private static void assertListsAreInOrder(RunTrace trace) {
    Map<Integer, List<RunTrace.Action>> lists =
        trace.actions().stream().collect(Collectors.groupingBy(RunTrace.Action::list));
    for (List<RunTrace.Action> list : lists.values()) {
      list.sort(Comparator.comparingLong(RunTrace.Action::fromNanos));
      for (int i = 1; i < list.size(); i++) {
        RunTrace.Action before = list.get(i - 1);
        RunTrace.Action action = list.get(i);
        boolean isTiled =
            action.fromNanos() == before.fromNanos() && action.toNanos() == before.toNanos();
        assertThat(isTiled || action.fromNanos() >= before.toNanos())
            .as("%s and then %s", before, action)
            .isTrue();
      }
    }
  }

  /** A wait lies between two neighbours of its stream, or before the first action. */
  private static void assertWaitsAreGaps(RunTrace trace) {
    for (RunTrace.Wait wait : trace.waits()) {
      List<RunTrace.Action> ofStream =
          trace.actions().stream()
              .filter(action -> action.ref().rank() == wait.rank())
              .filter(action -> action.ref().stream() == wait.stream())
              .toList();
      assertThat(wait.toNanos()).isGreaterThan(wait.fromNanos());
      assertThat(ofStream).extracting(RunTrace.Action::fromNanos).contains(wait.toNanos());
      if (wait.fromNanos() > 0) {
        assertThat(ofStream).extracting(RunTrace.Action::toNanos).contains(wait.fromNanos());
      }
      assertThat(wait.awaits())
          .isNotEmpty()
          .allSatisfy(
              await -> {
                assertThat(await.rank()).isEqualTo(wait.rank());
                assertThat(await.stream()).isEqualTo(wait.stream());
                assertThat(await.text()).startsWith("await ");
              });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "STATIC, 1, 4, 1000",
    "STATIC, 3, 4, 10",
    "STATIC, 3, 7, 400000",
    "DYNAMIC, 1, 4, 1000",
    "DYNAMIC, 3, 3, 1000",
    "DYNAMIC, 3, 4, 600000",
  })
  void everyActionThatIsLeftIsInTheTraceOnce(
      CompileOptions.Mode mode, int workers, int ranks, long count) {
    for (CollExecutorBase<AllReduceParam> executor :
        List.of(new TestExecutors.TwoStage(), new TestExecutors.Star())) {
      try (Engine engine = new Engine(config(workers));
          AllReduceCase work = AllReduceCase.of(executor, ranks, count)) {
        Binding binding = bind(engine, work, mode);
        for (int round = 0; round < 3; round++) {
          work.fill(round);
          RunTrace trace = binding.trace(SECONDS_10);

          assertThat(work.mismatch(round)).as("%s", binding.compiled()).isEmpty();
          assertThat(actions(trace))
              .doesNotHaveDuplicates()
              .containsExactlyInAnyOrderElementsOf(kept(binding.compiled()));
          assertSpansAreInsideTheRun(trace);
          if (!binding.compiled().isDynamic()) {
            assertListsAreInOrder(trace);
          }
          assertWaitsAreGaps(trace);

          work.fill(round + 100);
          binding.run(SECONDS_10);
          assertThat(work.mismatch(round + 100)).isEmpty();
        }
      }
    }
  }

  @Test
  void ofAPlanWithoutScratchNothingIsLeftOut() {
    try (Engine engine = new Engine(config(1));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 3, 300)) {
      RunTrace trace = bind(engine, work, CompileOptions.Mode.STATIC).trace(SECONDS_10);

      // Each rank reduces its slice and copies it to two peers.
      assertThat(trace.actions()).hasSize(9);
      assertThat(trace.actions())
          .extracting(action -> action.ref().rank())
          .containsExactly(0, 0, 0, 1, 1, 1, 2, 2, 2);
      assertThat(trace.actions())
          .extracting(RunTrace.Action::thread)
          .containsOnly(Thread.currentThread().getName());
    }
  }

  @Test
  void timesAreThoseOfTheClock() {
    try (Engine engine = new Engine(config(1), new Waiting(clock, 1));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 64)) {
      RunTrace trace = bind(engine, work, CompileOptions.Mode.STATIC).trace(SECONDS_10);

      // A look before each of four actions, and one after it; rank 1 goes first.
      assertThat(trace.actions())
          .extracting(RunTrace.Action::fromNanos, RunTrace.Action::toNanos)
          .containsExactly(times(5, 6), times(7, 8), times(1, 2), times(3, 4));
      assertThat(trace.nanos()).isEqualTo(9);
      assertThat(trace.waits())
          .extracting(RunTrace.Wait::rank, RunTrace.Wait::fromNanos, RunTrace.Wait::toNanos)
          .containsExactly(tuple(0, 0L, 5L), tuple(1, 0L, 1L));
      assertThat(trace.waits().get(1).awaits())
          .extracting(ActionRef::text)
          .containsExactly("await READY from rank 0");
    }
  }

  private static Tuple times(long from, long to) {
    return tuple(from, to);
  }

  /** A plan that nests one with two streams between two copies. */
  private static final String NESTED =
      """
      {
        "format": "tutti-plan/1",
        "name": "nested",
        "inPlace": false,
        "ranks": [
          {
            "rank": 0,
            "streams": 1,
            "notifies": 0,
            "memory": {"param-input": 64, "param-output": 64},
            "plans": [
              {
                "streams": 2,
                "notifies": 1,
                "memory": {"param-input": 64, "param-output": 64},
                "actions": [
                  {"kind": "copy", "stream": 0, "dst": [0, "param-output", 16],
                   "src": [0, "param-input", 16], "bytes": 16},
                  {"kind": "post", "stream": 0, "notify": 0},
                  {"kind": "await", "stream": 1, "notify": 0},
                  {"kind": "copy", "stream": 1, "dst": [0, "param-output", 32],
                   "src": [0, "param-input", 32], "bytes": 16}
                ]
              }
            ],
            "actions": [
              {"kind": "copy", "stream": 0, "dst": [0, "param-output", 0],
               "src": [0, "param-input", 0], "bytes": 16},
              {"kind": "nested", "stream": 0, "plan": 0},
              {"kind": "copy", "stream": 0, "dst": [0, "param-output", 48],
               "src": [0, "param-input", 48], "bytes": 16}
            ]
          }
        ]
      }
      """;

  @ParameterizedTest
  @EnumSource(CompileOptions.Mode.class)
  void streamsOfNestedPlansAreNumberedOn(CompileOptions.Mode mode) {
    GroupPlan plan = PlanJson.fromJson(NESTED);
    try (Engine engine = new Engine(config(1), new Waiting(clock, 1));
        AllReduceCase work = new AllReduceCase(plan, 16)) {
      Binding binding = bind(engine, work.fill(1), mode);
      RunTrace trace = binding.trace(SECONDS_10);

      assertThat(work.mismatch(1)).isEmpty();
      assertThat(trace.actions())
          .extracting(action -> action.ref().stream(), action -> action.ref().action())
          .containsExactly(pair(0, 0), pair(0, 0), pair(1, 3), pair(0, 2));
      // The four copies go on where the one before ends, so a static list runs them as one.
      if (!binding.compiled().isDynamic()) {
        assertThat(binding.compiled().taskCount()).isEqualTo(1);
        assertThat(trace.actions())
            .extracting(RunTrace.Action::fromNanos, RunTrace.Action::toNanos)
            .containsOnly(times(1, 2));
        assertThat(trace.waits()).isEmpty();
        return;
      }
      // Its second stream is there from the end of the copy before the nested plan on.
      assertThat(trace.waits())
          .singleElement()
          .satisfies(
              wait -> {
                assertThat(wait.stream()).isEqualTo(1);
                assertThat(wait.fromNanos()).isEqualTo(trace.actions().get(0).toNanos());
                assertThat(wait.toNanos()).isEqualTo(trace.actions().get(2).fromNanos());
              });
    }
  }

  private static Tuple pair(int stream, int action) {
    return tuple(stream, action);
  }

  @ParameterizedTest
  @CsvSource({"STATIC, 10", "STATIC, 1000000", "DYNAMIC, 1000"})
  void aTracedRunFailsAsAnyOtherDoes(CompileOptions.Mode mode, long count) {
    try (Engine engine = new Engine(config(3))) {
      AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, count);
      Binding binding = bind(engine, work, mode);
      work.close();
      assertFails(ErrorCode.BUFFER_UNAVAILABLE, binding);
      assertFails(ErrorCode.INVALID_STATE, binding);
    }
  }

  private static void assertFails(ErrorCode code, Binding binding) {
    assertThatThrownBy(() -> binding.trace(SECONDS_10))
        .isInstanceOfSatisfying(TuttiException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource({"STATIC, 1, 4000000", "STATIC, 3, 1000000", "DYNAMIC, 3, 70000"})
  void aTracedRunCanBeCancelledAndRunAgain(CompileOptions.Mode mode, int workers, long count) {
    try (Engine engine = new Engine(config(workers));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, count)) {
      Binding binding = bind(engine, work, mode);
      binding.cancelledBy(() -> true);
      assertFails(ErrorCode.CANCELLED, binding);
      binding.cancelledBy(Cancellation.NEVER);
      work.fill(2);
      RunTrace trace = binding.trace(SECONDS_10);
      assertThat(work.mismatch(2)).isEmpty();
      assertThat(actions(trace))
          .containsExactlyInAnyOrderElementsOf(kept(binding.compiled()))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aTracedRunHasADeadline() {
    int count = 4 << 20;
    GroupPlan once = AllReduceCase.plan(new TestExecutors.TwoStage(), 4, count);
    GroupPlan often = GroupPlan.sequence("often", List.of(once, once, once, once));
    try (Engine engine = new Engine(config(3), new Waiting(clock, 3));
        AllReduceCase work = new AllReduceCase(often, count)) {
      Binding binding = bind(engine, work, CompileOptions.Mode.STATIC);
      assertThatThrownBy(() -> binding.trace(1))
          .isInstanceOfSatisfying(
              TuttiException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageStartingWith("the run did not finish within its deadline:");
    }
  }

  @Test
  void runsThatAreStartedAndAwaitedAreTracedToo() {
    try (Engine engine = new Engine(config(3));
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 4, 100_000)) {
      Binding binding = bind(engine, work.fill(3), CompileOptions.Mode.STATIC);
      binding.beginTrace();
      binding.start();
      binding.await(SECONDS_10);
      RunTrace trace = binding.endTrace();
      assertThat(work.mismatch(3)).isEmpty();
      assertThat(actions(trace)).containsExactlyInAnyOrderElementsOf(kept(binding.compiled()));
      assertThat(binding.endTrace().actions()).as("the next run is not traced").isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "STATIC, 1, 4, 1000",
    "STATIC, 3, 7, 400000",
    "DYNAMIC, 3, 3, 1000",
    "DYNAMIC, 3, 4, 600000"
  })
  void theModelExpectsTheSameActionsInTheTimeItEstimates(
      CompileOptions.Mode mode, int workers, int ranks, long count) {
    MachineModel machine = MachineModel.defaults();
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.Star(), ranks, count);
    CompileOptions options = CompileOptions.defaults().withMode(mode);
    CompiledPlan compiled = PlanCompiler.compile(plan, options, config(workers));
    RunTrace expected = compiled.expected(machine);

    assertThat(actions(expected))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(kept(compiled));
    assertThat(expected.nanos()).isEqualTo(Math.round(compiled.estimate(machine).nanos()));
    assertSpansAreInsideTheRun(expected);
    if (!compiled.isDynamic()) {
      assertListsAreInOrder(expected);
    }
    assertWaitsAreGaps(expected);
    assertThat(expected.actions())
        .extracting(RunTrace.Action::thread)
        .allSatisfy(thread -> assertThat(thread).startsWith("worker "));
  }
}
