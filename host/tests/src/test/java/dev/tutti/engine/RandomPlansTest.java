package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engine does the same as the testkit's interpreter, whatever the plan and however it runs. */
class RandomPlansTest {

  private static final int PLANS = 40;

  @ParameterizedTest
  @CsvSource({"64, 1", "4096, 2", "20000, 3", "80000, 4"})
  void everyModeGivesTheResultOfTheInterpreter(int cellBytes, long firstSeed) {
    int moved = 0;
    for (long seed = firstSeed * 1000; seed < firstSeed * 1000 + PLANS; seed++) {
      int ranks = 1 + (int) (seed % 5);
      long count = (long) RandomExecutor.CELLS * cellBytes / Integer.BYTES;
      GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), ranks, count);
      try (AllReduceCase work = new AllReduceCase(plan, count)) {
        MemorySegment[] expected = work.interpreted((int) seed);
        for (CompileOptions.Mode mode : CompileOptions.Mode.values()) {
          for (long streamingBytes : new long[] {0, Long.MAX_VALUE}) {
            run(work, plan, mode, streamingBytes, (int) seed);
            for (int rank = 0; rank < ranks; rank++) {
              assertThat(work.output(rank).mismatch(expected[rank]))
                  .as("seed %d, %s, streaming from %d, rank %d", seed, mode, streamingBytes, rank)
                  .isEqualTo(-1);
            }
          }
        }
        moved += work.output(0).get(ValueLayout.JAVA_INT, 0) == -1 ? 0 : 1;
      }
    }
    assertThat(moved).as("plans that have written the first cell").isGreaterThan(PLANS / 4);
  }

  private static void run(
      AllReduceCase work,
      GroupPlan plan,
      CompileOptions.Mode mode,
      long streamingBytes,
      int round) {
    work.fill(round);
    EngineConfig config = new EngineConfig(3, 1_000, 20_000, 0, streamingBytes);
    try (Engine engine = new Engine(config)) {
      engine
          .bind(engine.compile(plan, CompileOptions.defaults().withMode(mode)), work.memory())
          .run(10_000_000_000L);
    }
  }
}
