package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that are replaced and removed under captures and under calls of ranks. */
@Timeout(600)
class GroupSwapTest {

  private static final int BYTES = 1 << 20;

  @TempDir private Path directory;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = {arena.allocate(BYTES, 64), arena.allocate(BYTES, 64)};
  private final MemorySegment[] outputs = {arena.allocate(BYTES, 64), arena.allocate(BYTES, 64)};
  private Path plugins;
  private Context context;
  private LivePlugins live;

  @BeforeEach
  void open() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    context = Context.builder().watchPlugins(plugins, directory.resolve("state")).open();
    live = (LivePlugins) context.pluginManager();
    inputs[0].fill((byte) 1);
    inputs[1].fill((byte) 2);
  }

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private void serve(String version) {
    LiveJars.jar(plugins.resolve("pull.jar"), version, LiveSamples.Right.class);
    live.rescan();
    assertThat(status(version).state()).isEqualTo(State.SERVING);
  }

  private PluginStatus status(String version) {
    PluginManager manager = live;
    return manager.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  /** Sums the inputs, and then the results, so that each byte is 6. */
  private Captured capture(Group group) {
    return group.capture(
        () -> {
          group.allReduce(inputs, outputs, DataType.INT8, ReduceOp.SUM).run();
          group.allReduce(outputs, outputs, DataType.INT8, ReduceOp.SUM).run();
        });
  }

  private void assertResultAndForgetIt() {
    for (MemorySegment output : outputs) {
      assertThat(output.toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 6);
      output.fill((byte) 0);
    }
  }

  private void awaitCollection() {
    assertThat(live.awaitDrained(Duration.ofMinutes(2))).isTrue();
    Await.collection(() -> live.uncollected() == 0);
  }

  @Test
  void aRunGoesOnWithTheOldPlanAndTheNextTakesTheNewOne() throws Exception {
    try (Group group = context.createGroup(2);
        Captured captured = capture(group)) {
      captured.start();
      serve("2.0.0");
      assertThat(status("1.0.0").state()).isEqualTo(State.DRAINING);
      captured.await();
      assertResultAndForgetIt();
      assertThat(status("2.0.0").plans()).isZero();

      captured.run();

      assertResultAndForgetIt();
      assertThat(status("2.0.0").plans()).isEqualTo(2);
      serve("3.0.0");
      captured.run();
      assertResultAndForgetIt();
      awaitCollection();
      assertThat(live.list()).noneMatch(it -> it.version().equals("1.0.0"));
      captured.run();
      assertResultAndForgetIt();
    }
  }

  @Test
  void aCaptureWithoutItsPluginWaitsForAnotherOne() throws Exception {
    try (Group group = context.createGroup(2);
        Captured captured = capture(group)) {
      captured.start();
      live.remove(LiveJars.ID);
      captured.await();
      assertResultAndForgetIt();

      assertThatThrownBy(captured::run)
          .isInstanceOf(TuttiException.class)
          .hasMessageContaining("no algorithm");

      assertThat(captured.isRunning()).isFalse();
      awaitCollection();
      serve("2.0.0");
      captured.run();
      assertResultAndForgetIt();
    }
  }

  private FutureTask<Void> call(Group group, int rank) {
    FutureTask<Void> call =
        new FutureTask<>(
            () ->
                group
                    .rank(rank)
                    .allReduce(inputs[rank], outputs[rank], DataType.INT8, ReduceOp.SUM),
            null);
    Thread.ofPlatform().daemon().start(call);
    return call;
  }

  private boolean isWaiting(int rank) {
    return context.status(Duration.ofMillis(20)).stream()
        .flatMap(group -> group.ranks().stream())
        .anyMatch(it -> it.rank() == rank && it.isWaiting());
  }

  /** One plan is made for the group when its last rank has come. */
  @Test
  void ranksThatCallBeforeAndAfterASwapRunTheSamePlan() throws Exception {
    try (Group group = context.createGroup(2)) {
      FutureTask<Void> early = call(group, 0);
      Await.until(() -> isWaiting(0));
      serve("2.0.0");
      call(group, 1).get();
      early.get();
    }
    for (MemorySegment output : outputs) {
      assertThat(output.toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 3);
    }
    assertThat(status("1.0.0").runs()).isZero();
    assertThat(status("2.0.0").runs()).isOne();
  }
}
