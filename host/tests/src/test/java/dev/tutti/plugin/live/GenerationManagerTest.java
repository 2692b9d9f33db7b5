package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.ManualClock;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationManagerTest {

  private static final String CONTENT = "0123456789abcdef";

  private static final Duration DRAIN_DEADLINE = Duration.ofSeconds(20);

  @TempDir private Path directory;

  /** An observer and listener that ignores everything. */
  private static final class Silence implements Catalogues.Observer, GenerationManager.Listener {

    @Override
    public boolean planFailed(Generation generation, TuttiException failure) {
      return false;
    }

    @Override
    public void runFailed(Generation generation, TuttiException failure) {}

    @Override
    public void passedOver(String what) {}

    @Override
    public void drained(Generation generation, Duration took) {}

    @Override
    public void stuck(Generation generation, String who) {}
  }

  private PluginInstance instance() {
    Path jar =
        LiveJars.plugin(LiveJars.ID, "1.0.0", LiveSamples.Right.class)
            .write(directory.resolve("pull.jar"));
    return PluginInstance.load(jar, jar, Duration.ofSeconds(20));
  }

  private static GenerationManager generations(GenerationManager.Listener listener, Clock clock) {
    return new GenerationManager(
        List.of(),
        DRAIN_DEADLINE,
        1,
        new UnloadWatch(Duration.ofMinutes(5), clock),
        new Silence(),
        listener,
        Steps.NONE,
        clock);
  }

  @Test
  void aDrainThatTakesLongIsReportedUntilItEnds() throws Exception {
    ManualClock clock = new ManualClock();
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    GenerationManager.Listener listener =
        new GenerationManager.Listener() {
          @Override
          public void drained(Generation generation, Duration took) {
            told.add("drained in " + took);
          }

          @Override
          public void stuck(Generation generation, String who) {
            told.add("stuck: " + who);
          }
        };
    try (GenerationManager generations = generations(listener, clock)) {
      generations.take(CONTENT, instance());
      generations.serve(Map.of(LiveJars.ID, CONTENT), Set.of(), List.of());
      Catalogue entered = generations.catalogues().enter();
      generations.serve(Map.of(), Set.of(), List.of());
      for (int report = 0; report < 2; report++) {
        clock.awaitSleepers(1);
        assertThat(told).isEmpty();
        clock.advance(DRAIN_DEADLINE.plusNanos(1));
        assertThat(told.take()).isEqualTo("stuck: a call that is being planned");
      }
      clock.awaitSleepers(1);
      generations.catalogues().leave(entered);
      clock.advance(Duration.ofSeconds(1));
      assertThat(told.take()).isEqualTo("drained in PT41.000000002S");
    }
  }

  @Test
  void aContentIsInUseUntilItsClassesAreCollected() {
    PluginInstance instance = instance();
    CollExecutorBase<?> held = instance.plugin().algorithms().getFirst().executor();
    GenerationManager generations = generations(new Silence(), Clock.system());
    generations.take(CONTENT, instance);
    assertThat(generations.contents()).containsExactly(CONTENT);

    generations.close();

    assertThat(generations.loaded(CONTENT)).isNull();
    assertThat(generations.contents()).as("closed, and held by %s", held).containsExactly(CONTENT);
  }
}
