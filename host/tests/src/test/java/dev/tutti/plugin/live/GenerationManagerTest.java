package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationManagerTest {

  private static final String CONTENT = "0123456789abcdef";

  @TempDir private Path directory;

  /** Nobody observes and nobody listens. */
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

  @Test
  void aContentIsInUseUntilItsClassesAreCollected() {
    Path jar =
        LiveJars.plugin(LiveJars.ID, "1.0.0", LiveSamples.Right.class)
            .write(directory.resolve("pull.jar"));
    PluginInstance instance = PluginInstance.load(jar, jar, Duration.ofSeconds(20));
    CollExecutorBase<?> held = instance.plugin().algorithms().getFirst().executor();
    Silence silence = new Silence();
    GenerationManager generations =
        new GenerationManager(
            List.of(),
            Duration.ofSeconds(20),
            1,
            new UnloadWatch(Duration.ofMinutes(5)),
            silence,
            silence,
            Steps.NONE);
    generations.take(CONTENT, instance);
    assertThat(generations.contents()).containsExactly(CONTENT);

    generations.close();

    assertThat(generations.loaded(CONTENT)).isNull();
    assertThat(generations.contents()).as("closed, and held by %s", held).containsExactly(CONTENT);
  }
}
