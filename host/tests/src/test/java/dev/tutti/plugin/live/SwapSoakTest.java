package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Swaps two versions while threads run collectives without pause. As many swaps as {@code
 * tutti.soak.swaps} says; the benchmark page has the figures of a long run.
 */
class SwapSoakTest {

  private static final int SWAPS = Integer.getInteger("tutti.soak.swaps", 20);

  /**
   * A long run measures: it waits for the host to look at the directory, and says how long it took.
   */
  private static final boolean IS_LONG = System.getProperty("tutti.soak.swaps") != null;

  /** One keeps its request, the next one makes one for each call. */
  private static final int THREADS = Integer.getInteger("tutti.soak.threads", IS_LONG ? 4 : 2);

  private static final int COUNT = 64;

  @TempDir private Path directory;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong runs = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private final List<Long> toServing = new ArrayList<>();

  @Test
  void swapsUnderLoadLoseNothingAndLeaveNothing() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Path odd = LiveJars.jar(directory.resolve("odd.jar"), "1.0.0", LiveSamples.Right.class);
    Path even = LiveJars.jar(directory.resolve("even.jar"), "1.0.1", LiveSamples.Right.class);
    Files.copy(odd, plugins.resolve("pull.jar"));
    try (Context context =
        Context.builder().watchPlugins(plugins, directory.resolve("state")).open()) {
      LivePlugins live = (LivePlugins) context.pluginManager();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int seed = i;
        boolean keepsRequest = i % 2 == 0;
        threads.add(Thread.ofPlatform().start(() -> run(context, seed, keepsRequest)));
      }
      swap(live, plugins, odd, even, 6);
      toServing.clear();
      longest.set(0);
      long filesBefore = openFiles();
      long classesBefore = loadedClasses();
      swap(live, plugins, odd, even, SWAPS);
      isOver.set(true);
      for (Thread each : threads) {
        each.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(runs.get()).isGreaterThanOrEqualTo(THREADS);
      assertThat(live.awaitDrained(Duration.ofSeconds(30))).isTrue();
      Await.collection(() -> live.uncollected() == 0);
      assertThat(openFiles()).as("open files").isLessThan(filesBefore + 20);
      if (IS_LONG) {
        report();
      }
      // The next scan deletes the copy of a collected plugin.
      live.rescan();
      try (Stream<Path> copies = Files.list(directory.resolve("state").resolve("store"))) {
        assertThat(copies.count()).as("copies of jars").isLessThan(8);
      }
      assertThat(loadedClasses()).as("loaded classes").isLessThan(classesBefore + 2_000);
    }
  }

  /** Each swap makes the other version the newer one by rolling its number on. */
  private void swap(LivePlugins live, Path plugins, Path odd, Path even, int swaps)
      throws IOException {
    for (int i = 0; i < swaps && failure.get() == null; i++) {
      String version = "%d.0.%d".formatted(2 + swaps, i);
      Path next = i % 2 == 0 ? even : odd;
      LiveJars.jar(next, version, LiveSamples.Right.class);
      Files.move(
          Files.copy(next, plugins.resolve("next.part")),
          plugins.resolve("pull.jar"),
          java.nio.file.StandardCopyOption.ATOMIC_MOVE,
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      long dropped = System.nanoTime();
      if (!IS_LONG) {
        live.rescan();
      }
      Await.untilClosely(() -> isServed(live, version));
      toServing.add(System.nanoTime() - dropped);
    }
  }

  private static boolean isServed(LivePlugins live, String version) {
    return live.catalogues().current().plugins().plugins().stream()
        .allMatch(plugin -> plugin.version().equals(version));
  }

  private void run(Context context, int seed, boolean keepsRequest) {
    try (Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = {arena.allocate(4L * COUNT, 64), arena.allocate(4L * COUNT, 64)};
      MemorySegment[] outputs = {arena.allocate(4L * COUNT, 64), arena.allocate(4L * COUNT, 64)};
      Request kept = keepsRequest ? request(group, inputs, outputs) : null;
      for (int step = seed; !isOver.get() && failure.get() == null; step++) {
        inputs[0].setAtIndex(ValueLayout.JAVA_INT, step % COUNT, step);
        inputs[1].setAtIndex(ValueLayout.JAVA_INT, step % COUNT, 7);
        long start = System.nanoTime();
        if (kept != null) {
          kept.run();
        } else {
          try (Request once = request(group, inputs, outputs)) {
            once.run();
          }
        }
        long took = System.nanoTime() - start;
        longest.accumulateAndGet(took, Math::max);
        int sum = outputs[1].getAtIndex(ValueLayout.JAVA_INT, step % COUNT);
        if (sum != step + 7) {
          throw new AssertionError("wrong sum " + sum + " in step " + step);
        }
        runs.incrementAndGet();
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }

  private static Request request(Group group, MemorySegment[] inputs, MemorySegment[] outputs) {
    return group.allReduce(inputs, outputs, DataType.INT32, ReduceOp.SUM).build();
  }

  private void report() {
    List<Long> sorted = toServing.stream().sorted().toList();
    System.out.printf(
        "%d swaps, %d runs; from the jar in the directory to service: median %d ms, longest %d ms;"
            + " longest call with its planning: %.1f ms%n",
        sorted.size(),
        runs.get(),
        sorted.get(sorted.size() / 2) / 1_000_000,
        sorted.getLast() / 1_000_000,
        longest.get() / 1e6);
  }

  private static long openFiles() throws IOException {
    Path files = Path.of("/proc/self/fd");
    if (!Files.isDirectory(files)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(files)) {
      return open.count();
    }
  }

  private static long loadedClasses() {
    return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
  }
}
