package dev.tutti.host.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.plugin.PluginStatus;
import dev.tutti.host.status.RankStatus;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
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

/**
 * Ranks that call while a plugin is replaced. One plan is made for the group when its last rank has
 * come, so ranks cannot run plans of different versions.
 */
@Timeout(300)
class RankCallSwapTest {

  private static final int BYTES = 1 << 12;
  private static final int RANKS = 3;

  @TempDir private Path directory;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = new MemorySegment[RANKS];
  private final MemorySegment[] outputs = new MemorySegment[RANKS];
  private Path plugins;
  private Context context;
  private LivePlugins live;

  @BeforeEach
  void open() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    context = Context.builder().watchPlugins(plugins, directory.resolve("state")).open();
    live = (LivePlugins) context.pluginManager();
    for (int rank = 0; rank < RANKS; rank++) {
      inputs[rank] = arena.allocate(BYTES, 64).fill((byte) (rank + 1));
      outputs[rank] = arena.allocate(BYTES, 64);
    }
  }

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private FutureTask<Void> call(Group group, int rank) {
    FutureTask<Void> call =
        new FutureTask<>(
            () -> {
              group.rank(rank).allReduce(inputs[rank], outputs[rank], DataType.INT8, ReduceOp.SUM);
              return null;
            });
    Thread.ofPlatform().daemon().start(call);
    return call;
  }

  private void awaitWaiting(int rank) throws InterruptedException {
    while (context.status(Duration.ofMillis(20)).stream()
        .flatMap(group -> group.ranks().stream())
        .filter(it -> it.rank() == rank)
        .noneMatch(RankStatus::isWaiting)) {
      Thread.sleep(5);
    }
  }

  private long runs(String version) {
    return live.list().stream()
        .filter(it -> it.version().equals(version))
        .mapToLong(PluginStatus::runs)
        .sum();
  }

  @Test
  void ranksThatCalledBeforeAndAfterASwapRunTheSamePlan() throws Exception {
    try (Group group = context.createGroup(RANKS)) {
      FutureTask<Void> early = call(group, 0);
      awaitWaiting(0);
      LiveJars.jar(plugins.resolve("pull.jar"), "2.0.0", LiveSamples.Right.class);
      live.rescan();
      FutureTask<Void> late = call(group, 1);
      call(group, 2).get();
      early.get();
      late.get();
    }

    for (MemorySegment output : outputs) {
      assertThat(output.toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 6);
    }
    assertThat(runs("1.0.0")).isZero();
    assertThat(runs("2.0.0")).isOne();
  }
}
