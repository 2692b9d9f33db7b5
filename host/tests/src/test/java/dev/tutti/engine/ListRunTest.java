package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListRunTest {

  private final Engine engine = new Engine(new EngineConfig(2, 2_000, 50_000, 0, Long.MAX_VALUE));

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  @Test
  void aListWaitsForAnotherOneAlsoWhenTheRunNumberOverflows() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Star(), 2, 1 << 18)) {
      CompiledPlan compiled =
          engine.compile(
              work.plan(), CompileOptions.defaults().withMode(CompileOptions.Mode.STATIC));
      assertThat(compiled.listCount()).isEqualTo(2);
      List<TaskRunner> runners = new ArrayList<>();
      ListRun run =
          (ListRun)
              compiled.newRun(compiled.slots().bind(work.memory()), runners, engine.waiting());
      run.run = Long.MAX_VALUE & -(2L << 32);
      for (int round = 0; round < 5; round++) {
        work.fill(round);
        run.begin(Long.MAX_VALUE);
        run.tryList(1);
        assertThat(run.isDone()).as("list 1 waits for list 0 in round %d", round).isFalse();
        assertThat(run.tryList(0)).isTrue();
        run.tryList(1);
        assertThat(run.isDone()).isTrue();
        assertThat(work.mismatch(round)).isEmpty();
      }
    }
  }
}
