package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginManifest;
import dev.tutti.sdk.CollExecutorBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnloadWatchTest {

  @TempDir private Path directory;

  private PluginInstance load(Class<?> provider, String capabilities) {
    Path jar =
        LiveJars.plugin(LiveJars.ID, "1.0.0", provider)
            .entry(
                PluginManifest.PATH,
                """
                {"id": "org.example.pull", "version": "1.0.0", "sdk": "[0.1,1.0)",
                 "capabilities": [%s]}
                """
                    .formatted(capabilities))
            .write(directory.resolve("pull.jar"));
    return PluginInstance.load(jar, jar, Duration.ofSeconds(20));
  }

  private static UnloadWatch.Outcome await(UnloadWatch watch) {
    List<UnloadWatch.Outcome> outcomes = new ArrayList<>();
    Await.collection(() -> outcomes.addAll(watch.poll()));
    assertThat(outcomes).hasSize(1);
    return outcomes.getFirst();
  }

  @Test
  void thePluginThatNobodyHoldsIsCollected() throws Exception {
    UnloadWatch watch = new UnloadWatch(Duration.ofMinutes(5));
    watch.close(load(LiveSamples.Right.class, ""), "content");
    assertThat(watch.uncollected()).containsExactly("content");
    assertThat(watch.isReported("content")).isFalse();

    UnloadWatch.Outcome outcome = await(watch);

    assertThat(outcome.isCollected()).isTrue();
    assertThat(watch.waiting()).isZero();
  }

  @Test
  void anObjectThatIsKeptIsReportedOnce() throws Exception {
    UnloadWatch watch = new UnloadWatch(Duration.ofMillis(1));
    PluginInstance instance = load(LiveSamples.Right.class, "");
    CollExecutorBase<?> kept = instance.plugin().algorithms().getFirst().executor();
    watch.close(instance, "content");

    UnloadWatch.Outcome outcome = await(watch);

    assertThat(outcome.isCollected()).isFalse();
    assertThat(outcome.suspects()).singleElement().asString().contains("an object is kept");
    assertThat(watch.isReported("content")).as("reported before anybody was told").isFalse();
    watch.markReported(outcome);
    assertThat(watch.poll()).isEmpty();
    assertThat(watch.isReported("content")).isTrue();
    assertThat(watch.uncollected()).containsExactly("content");
    assertThat(kept.toString()).isNotEmpty();
  }

  @Test
  void aThreadThatRunsOnIsNamed() throws Exception {
    UnloadWatch watch = new UnloadWatch(Duration.ofMillis(1));
    PluginInstance instance = load(ThreadSample.class, "\"threads\"");
    Class<?> samples =
        instance
            .plugin()
            .algorithms()
            .getFirst()
            .executor()
            .getClass()
            .getClassLoader()
            .loadClass(ThreadSample.class.getName());
    java.lang.reflect.Method idle = samples.getDeclaredMethod("idle");
    idle.setAccessible(true);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("left behind")
            .start(
                () -> {
                  try {
                    idle.invoke(null);
                  } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                  }
                });
    // What it has not linked before the end of its loader, it never will.
    while (Stream.of(thread.getStackTrace()).noneMatch(it -> it.getMethodName().equals("yield0"))) {
      Thread.onSpinWait();
    }
    watch.close(instance, "content");
    try {
      UnloadWatch.Outcome outcome = await(watch);

      assertThat(outcome.suspects())
          .anyMatch(
              it -> it.startsWith("thread 'left behind' is in plugin org.example.pull 1.0.0//"));
    } finally {
      thread.interrupt();
      thread.join();
    }
  }
}
