package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The work that a caller does in a run before other threads learn of it. */
final class OpeningTest {

  private static final long COUNT = 1 << 18;
  private static final int PIECE = 1024;
  private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(60);

  private final Engine engine = new Engine(new EngineConfig(2, 2_000, 50_000, 0, Long.MAX_VALUE));
  private final AllReduceCase work =
      AllReduceCase.of(new TestExecutors.TwoStage(), 2, COUNT).fill(1);

  @AfterEach
  void close() {
    engine.close();
  }

  private CompiledPlan compiled(CompileOptions.Mode mode) {
    return engine.compile(work.plan(), CompileOptions.defaults().withMode(mode));
  }

  private long written(int rank) {
    MemorySegment output = work.output(rank);
    long written = 0;
    for (long i = 0; i < COUNT; i++) {
      written += output.getAtIndex(ValueLayout.JAVA_INT, i) == -1 ? 0 : 1;
    }
    return written;
  }

  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aSmallPieceOfTheFirstActionAndNoMore(CompileOptions.Mode mode) {
    try (work) {
      CompiledPlan compiled = compiled(mode);
      PlanRun run =
          compiled.newRun(
              compiled.slots().bind(work.memory()), new ArrayList<>(), engine.waiting());
      for (int round = 1; round <= 3; round++) {
        work.fill(round);
        run.begin(TIMEOUT);
        assertThat(written(0) + written(1)).isBetween(1L, 2L * PIECE);
        while (!run.isDone()) {
          run.help(0);
        }
        assertThat(work.mismatch(round)).isEmpty();
      }
    }
  }

  /** Adds each rank's input to its output, so that work that is done twice is detected. */
  private static final class Adding extends TestExecutors.MeshExecutor {
    Adding() {
      super(0);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      resources
          .mainStream()
          .reduce(
              resources.paramOutputMem(),
              resources.paramInputMem(),
              param.dataType(),
              param.reduceOp());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void whatItHasDoneIsNotDoneAgain(CompileOptions.Mode mode) {
    try (AllReduceCase adding = AllReduceCase.of(new Adding(), 2, COUNT).fill(1)) {
      CompileOptions options = CompileOptions.defaults().withMode(mode);
      engine.bind(engine.compile(adding.plan(), options), adding.memory()).run(TIMEOUT);
      for (int rank = 0; rank < 2; rank++) {
        MemorySegment input = adding.input(rank);
        MemorySegment output = adding.output(rank);
        for (long i = 0; i < COUNT; i++) {
          assertThat(output.getAtIndex(ValueLayout.JAVA_INT, i))
              .isEqualTo(input.getAtIndex(ValueLayout.JAVA_INT, i) - 1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aFailureInItIsThatOfTheRun(CompileOptions.Mode mode) {
    Binding binding = engine.bind(compiled(mode), work.memory());
    work.close();
    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> binding.run(TIMEOUT))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BUFFER_UNAVAILABLE));
  }

  @ParameterizedTest
  @EnumSource(names = {"STATIC", "DYNAMIC"})
  void aRunThatWasCancelledBeforeItDoesNothing(CompileOptions.Mode mode) {
    try (work) {
      Binding binding = engine.bind(compiled(mode), work.memory());
      binding.cancelledBy(() -> true);
      assertThatExceptionOfType(TuttiException.class)
          .isThrownBy(() -> binding.run(TIMEOUT))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
      assertThat(written(0) + written(1)).isZero();
      binding.cancelledBy(Cancellation.NEVER);
      binding.run(TIMEOUT);
      assertThat(work.mismatch(1)).isEmpty();
    }
  }
}
