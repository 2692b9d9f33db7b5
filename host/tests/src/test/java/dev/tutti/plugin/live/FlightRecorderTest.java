package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.plugin.PluginManager;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {

  @TempDir private Path directory;

  @Test
  void theLifeOfAPluginIsRecorded() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Path file = directory.resolve("flight.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      live(plugins);
      recording.dump(file);
    }

    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("dev.tutti."))
            .toList();
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .contains(
            "dev.tutti.PluginLoad",
            "dev.tutti.PluginVerify",
            "dev.tutti.PluginSwap",
            "dev.tutti.PluginDrain",
            "dev.tutti.PluginRollback",
            "dev.tutti.PluginUnload",
            "dev.tutti.Run");
    assertThat(events)
        .filteredOn(event -> event.getEventType().getName().equals("dev.tutti.PluginRollback"))
        .singleElement()
        .satisfies(event -> assertThat(event.getString("version")).isEqualTo("1.0.0"));
  }

  private void live(Path plugins) throws InterruptedException {
    Path jar = directory.resolve("pull.jar");
    try (Context context =
        Context.builder().watchPlugins(plugins, directory.resolve("state")).open()) {
      PluginManager manager = context.pluginManager();
      LiveJars.jar(jar, "1.0.0", LiveSamples.Right.class);
      manager.install(jar);
      LiveJars.jar(jar, "1.1.0", LiveSamples.Right.class);
      manager.install(jar);
      manager.rollback(LiveJars.ID);
      run(context);
      manager.remove(LiveJars.ID);
      LivePlugins live = (LivePlugins) manager;
      assertThat(live.awaitDrained(Duration.ofSeconds(20))).isTrue();
      Await.collection(() -> live.uncollected() == 0);
    }
  }

  /** A stream starts when it likes: runs until it has seen a run. */
  private static void run(Context context) throws InterruptedException {
    try (RecordingStream stream = new RecordingStream();
        Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      CountDownLatch seen = new CountDownLatch(1);
      stream.onEvent("dev.tutti.Run", event -> seen.countDown());
      stream.startAsync();
      MemorySegment[] inputs = {arena.allocate(8, 64), arena.allocate(8, 64)};
      MemorySegment[] outputs = {arena.allocate(8, 64), arena.allocate(8, 64)};
      for (int i = 0; i < 6_000 && !seen.await(10, TimeUnit.MILLISECONDS); i++) {
        group.allReduce(inputs, outputs, DataType.INT32, ReduceOp.SUM).build().run();
      }
      assertThat(seen.getCount()).isZero();
    }
  }
}
