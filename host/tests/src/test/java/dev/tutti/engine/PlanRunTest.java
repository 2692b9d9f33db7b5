package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that goes wrong in the middle of its work, driven by one thread. */
final class PlanRunTest {

  /** Passes at each look at the clock. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private static final int RANKS = 4;
  private static final int OUTPUT = TransportMemType.PARAM_OUTPUT.ordinal();

  private static final int COUNT = 1 << 18;
  private static final int FEW = 64;

  /** The most help calls that a run of these plans takes. */
  private static final int MOST_CALLS = 100;

  private static PlanRun run(AllReduceCase work, CompileOptions.Mode mode) {
    return run(work, mode, 2);
  }

  private static PlanRun run(AllReduceCase work, CompileOptions.Mode mode, int workers) {
    try (Engine engine = new Engine(new EngineConfig(workers, 0, 0, 0, Long.MAX_VALUE))) {
      CompiledPlan compiled = engine.compile(work.plan(), CompileOptions.defaults().withMode(mode));
      return compiled.newRun(
          compiled.slots().bind(work.memory()),
          new ArrayList<>(),
          new Waiting(new TickingClock(TICK), 2));
    }
  }

  /** A run in which nobody can touch the output of a rank. */
  private static PlanRun runWithClosedOutput(
      AllReduceCase work, int rank, CompileOptions.Mode mode) {
    try (Arena arena = Arena.ofShared()) {
      work.memory()[rank][OUTPUT] = arena.allocate(4 * COUNT, 64);
      return run(work, mode);
    }
  }

  private static void helpToTheEnd(PlanRun run) {
    for (int call = 0; call < MOST_CALLS && !run.isDone(); call++) {
      run.help(0);
    }
    assertThat(run.isDone()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aLongRunLooksAtTheClock(CompileOptions.Mode mode) {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), RANKS, 4 << 20)) {
      PlanRun run = run(work, mode);

      run.begin(1);
      helpToTheEnd(run);

      assertThat(run.late()).extracting(PlanRun.Late::unfinished).asString().isNotBlank();
      assertThat(run.hasSkipped()).isTrue();
    }
  }

  @Test
  void aRunLooksAtTheClockInTheMiddleOfALongTask() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 6 << 20)) {
      PlanRun run = run(work.fill(1), CompileOptions.Mode.STATIC);

      run.begin(1);
      helpToTheEnd(run);

      assertThat(run.hasSkipped()).isTrue();
      assertThat(work.mismatch(0, 1)).contains("actual -1");
    }
  }

  /** The long task has three pieces, and the run looks at the clock after each of them. */
  @Test
  void aRunOfOneListIsLateIfThereIsWorkLeft() {
    try (AllReduceCase work = AllReduceCase.of(new Uneven(), 2, 6 << 20)) {
      PlanRun run = run(work, CompileOptions.Mode.STATIC, 1);

      run.begin(500_000_000L);
      run.help(0);
      assertThat(run.isDone()).isFalse();
      assertThat(run.unfinished()).contains("the calling thread is at rank 1");

      run.begin(1_500_000_000L);
      run.help(0);
      assertThat(run.isDone()).isTrue();
    }
  }

  /** Rank 0 copies a few bytes, and the other one copies all of its own. */
  private static final class Uneven extends TestExecutors.MeshExecutor {
    Uneven() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      DeviceMem to = resources.paramOutputMem();
      DeviceMem from = resources.paramInputMem();
      boolean isFirst = param.comm().rank() == 0;
      resources
          .mainStream()
          .copy(isFirst ? to.slice(0, FEW) : to, isFirst ? from.slice(0, FEW) : from);
    }
  }

  /** Each rank copies its input, and when the other one has, that of the other one. */
  private static final class Passing extends TestExecutors.MeshExecutor {
    Passing() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      DeviceMem output = resources.paramOutputMem();
      main.copy(output, resources.paramInputMem());
      meet(comm, main, Link.READY);
      Link next = comm.link((comm.localRank() + 1) % comm.localRankSize());
      next.read(main, output, next.remote(TransportMemType.PARAM_INPUT));
    }
  }

  /** The other rank waits for the one that cannot write. */
  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aRunThatFailsComesToItsEnd(CompileOptions.Mode mode) {
    try (AllReduceCase work = AllReduceCase.of(new Passing(), 2, COUNT)) {
      PlanRun run = runWithClosedOutput(work, 1, mode);

      run.begin(Long.MAX_VALUE);
      assertThat(run.failure()).isNull();
      helpToTheEnd(run);

      assertThat(run.failure()).isInstanceOf(IllegalStateException.class);
      assertThat(run.hasSkipped()).isTrue();
    }
  }

  /** The first piece of the work is all of the task that fails. */
  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aFailureOfTheOpeningIsNotLost(CompileOptions.Mode mode) {
    try (AllReduceCase work = AllReduceCase.of(new Uneven(), 2, COUNT)) {
      PlanRun run = runWithClosedOutput(work, 0, mode);

      run.begin(Long.MAX_VALUE);
      helpToTheEnd(run);

      assertThat(run.failure()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void theFirstFailureIsKept() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 16)) {
      PlanRun run = run(work, CompileOptions.Mode.STATIC);
      RuntimeException first = new RuntimeException("the cause");

      run.fail(first);
      run.fail(new RuntimeException("a consequence"));

      assertThat(run.failure()).isSameAs(first);
    }
  }
}
