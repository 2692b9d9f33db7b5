package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CancellationTest {

  private static final long SECONDS_10 = 10_000_000_000L;
  private static final int RANKS = 4;

  /** Says yes from the given question on. */
  private static Cancellation fromQuestion(int number) {
    AtomicInteger questions = new AtomicInteger();
    return () -> questions.incrementAndGet() >= number;
  }

  /** The code of the error that a run ends with, or null if it goes to its end. */
  private static ErrorCode outcome(Binding binding) {
    try {
      binding.start(SECONDS_10);
      binding.await(SECONDS_10);
      return null;
    } catch (TuttiException e) {
      return e.code();
    }
  }

  @ParameterizedTest
  @CsvSource({"STATIC, 1, 4000000", "STATIC, 3, 100000", "DYNAMIC, 1, 70000", "DYNAMIC, 3, 70000"})
  void aRunThatWasEndedAtAnyPointCanBeRunAgain(CompileOptions.Mode mode, int workers, long count) {
    EngineConfig config = new EngineConfig(workers, 1_000, 20_000, 64 << 10, 4 << 20);
    try (Engine engine = new Engine(config);
        AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), RANKS, count)) {
      Binding binding =
          engine.bind(
              engine.compile(work.plan(), CompileOptions.defaults().withMode(mode)), work.memory());
      boolean isWhole = false;
      int cancelled = 0;
      for (int question = 1; !isWhole; question++) {
        work.fill(-question);
        binding.cancelledBy(fromQuestion(question));
        ErrorCode outcome = outcome(binding);
        assertThat(outcome).isIn(null, ErrorCode.CANCELLED);
        isWhole = outcome == null;
        if (isWhole) {
          assertThat(work.mismatch(-question)).isEmpty();
        }
        cancelled += isWhole ? 0 : 1;
        binding.cancelledBy(Cancellation.NEVER);
        work.fill(question);
        binding.run(SECONDS_10);
        assertThat(work.mismatch(question)).as("after question %d", question).isEmpty();
      }
      assertThat(cancelled).isPositive();
    }
  }
}
