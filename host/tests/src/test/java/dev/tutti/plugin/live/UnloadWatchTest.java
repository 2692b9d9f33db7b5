package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.ManualClock;
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

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ManualClock clock = new ManualClock();

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
    UnloadWatch watch = new UnloadWatch(PATIENCE, clock);
    watch.close(load(LiveSamples.Right.class, ""), "content");
    assertThat(watch.uncollected()).containsExactly("content");
    assertThat(watch.isReported("content")).isFalse();

    UnloadWatch.Outcome outcome = await(watch);

    assertThat(outcome.isCollected()).isTrue();
    assertThat(watch.waiting()).isZero();
  }

  @Test
  void anObjectThatIsKeptIsReportedOnce() throws Exception {
    UnloadWatch watch = new UnloadWatch(PATIENCE, clock);
    PluginInstance instance = load(LiveSamples.Right.class, "");
    CollExecutorBase<?> kept = instance.plugin().algorithms().getFirst().executor();
    watch.close(instance, "content");
    clock.advance(PATIENCE);
    assertThat(watch.poll()).as("before its time is over").isEmpty();
    clock.advance(Duration.ofNanos(1));

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
  void theCollectorIsAskedToLookAtThreeAges() throws Exception {
    UnloadWatch watch = new UnloadWatch(PATIENCE, clock);
    PluginInstance instance = load(LiveSamples.Right.class, "");
    watch.close(instance, "content");
    assertThat(watch.isCollectionDue()).isFalse();
    for (int seconds : new int[] {2, 8, 35}) {
      clock.advance(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(watch.isCollectionDue()).isFalse();
      clock.advance(Duration.ofNanos(1));
      assertThat(watch.isCollectionDue()).isTrue();
      assertThat(watch.isCollectionDue()).isFalse();
    }
    clock.advance(Duration.ofHours(1));
    assertThat(watch.isCollectionDue()).isFalse();
    assertThat(instance.plugin().id()).isEqualTo(LiveJars.ID);
  }

  @Test
  void aThreadThatRunsOnIsNamed() throws Exception {
    UnloadWatch watch = new UnloadWatch(PATIENCE, clock);
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
    // Classes that are not linked before the end of their loader never will be.
    Await.spin(
        () ->
            Stream.of(thread.getStackTrace()).anyMatch(it -> it.getMethodName().equals("yield0")));
    watch.close(instance, "content");
    clock.advance(PATIENCE.plusNanos(1));
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
