package dev.tutti.plugin.live;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SteppedContexts;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Measures what swaps cost; the benchmark page has the figures. Prints and asserts no times. */
@EnabledIfSystemProperty(named = "tutti.swap.figures", matches = "true")
class SwapFiguresTest {

  private static final int WARM = 8;
  private static final int SWAPS = 24;
  private static final int CALLERS = 4;
  private static final int COUNT = 64;

  /** Calls below this are not kept; nothing that is looked for is so short. */
  private static final long SHORT_NANOS = 10_000;

  /** The time without swaps after a swap. */
  private static final long QUIET_NANOS = 50_000_000;

  /** From a swap to the quiet time that it is compared with. */
  private static final long LATER_NANOS = 20_000_000;

  @TempDir private Path directory;
  private final List<Window> swaps = new ArrayList<>();
  private volatile long recorded;

  /** A time in which something happened, or a call. */
  private record Window(long begin, long end) {

    boolean overlaps(Window other) {
      return begin < other.end && other.begin < end;
    }

    long length() {
      return end - begin;
    }
  }

  private Context open(Path plugins) {
    return SteppedContexts.told(
            Context.builder().watchPlugins(plugins, directory.resolve("state")), this::reached)
        .open();
  }

  private void reached(Step step) {
    if (step == Step.RECORDED) {
      recorded = System.nanoTime();
    } else if (step == Step.PUBLISHED) {
      swaps.add(new Window(recorded, System.nanoTime()));
    }
  }

  /** Puts a version into the directory, and returns how long it took until it served. */
  private long swap(Context context, Path plugins, int number) throws IOException {
    String version = "1.0." + number;
    Path jar = LiveJars.jar(directory.resolve("next.jar"), version, LiveSamples.Right.class);
    Files.move(
        jar,
        plugins.resolve("pull.jar"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    long dropped = System.nanoTime();
    Await.untilClosely(
        () -> context.plugins().plugins().stream().anyMatch(it -> it.version().equals(version)));
    return System.nanoTime() - dropped;
  }

  private static Request request(Group group, Arena arena, String algorithm) {
    MemorySegment[] inputs = {arena.allocate(4L * COUNT, 64), arena.allocate(4L * COUNT, 64)};
    MemorySegment[] outputs = {arena.allocate(4L * COUNT, 64), arena.allocate(4L * COUNT, 64)};
    return group
        .allReduce(inputs, outputs, DataType.INT32, ReduceOp.SUM)
        .algorithm(algorithm)
        .build();
  }

  @Test
  void fromTheJarToServiceAndTheFirstCall() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    try (Context context = open(plugins)) {
      swap(context, plugins, 0);
      try (Group group = context.createGroup(2);
          Arena arena = Arena.ofShared();
          Request request = request(group, arena, "pull")) {
        long[] toService = new long[SWAPS];
        long[] first = new long[SWAPS];
        long[] steady = new long[SWAPS * 1_000];
        for (int i = -WARM; i < SWAPS; i++) {
          long served = swap(context, plugins, 1 + i + WARM);
          long took = time(request);
          for (int run = 0; run < 1_000; run++) {
            long call = time(request);
            if (i >= 0) {
              steady[1_000 * i + run] = call;
            }
          }
          if (i >= 0) {
            toService[i] = served;
            first[i] = took;
          }
        }
        print("from the jar to service, ms", toService, 1e6);
        print("first call after a swap, µs", first, 1e3);
        print("steady call, µs", steady, 1e3);
      }
    }
  }

  private static long time(Request request) {
    long start = System.nanoTime();
    request.run();
    return System.nanoTime() - start;
  }

  private static void print(String what, long[] nanos, double unit) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%s: median %.2f, least %.2f, most %.2f of %d%n",
        what,
        sorted[sorted.length / 2] / unit,
        sorted[0] / unit,
        sorted[sorted.length - 1] / unit,
        sorted.length);
  }

  /** Callers of a plugin that stays, while another one is swapped. */
  @Test
  void theLongestCallDuringASwap() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveJars.plugin("org.example.stays", "1.0.0", LiveSamples.Right.class)
        .write(plugins.resolve("stays.jar"));
    AtomicBoolean isOver = new AtomicBoolean();
    List<List<Window>> calls = new ArrayList<>();
    try (Context context = open(plugins)) {
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        List<Window> mine = new ArrayList<>();
        calls.add(mine);
        callers.add(Thread.ofPlatform().start(() -> callOn(context, isOver, mine)));
      }
      for (int i = 0; i < WARM + SWAPS; i++) {
        swap(context, plugins, i);
        long served = System.nanoTime();
        Await.until(() -> System.nanoTime() - served > QUIET_NANOS);
      }
      isOver.set(true);
      for (Thread each : callers) {
        each.join();
      }
    }
    List<Window> measured = swaps.subList(swaps.size() - SWAPS, swaps.size());
    print("a swap, µs", measured.stream().mapToLong(Window::length).toArray(), 1e3);
    print("longest call during it, µs", longest(measured, calls), 1e3);
    List<Window> quiet =
        measured.stream()
            .map(it -> new Window(it.begin() + LATER_NANOS, it.end() + LATER_NANOS))
            .toList();
    print("longest call in as long a time after it, µs", longest(quiet, calls), 1e3);
  }

  private static long[] longest(List<Window> windows, List<List<Window>> calls) {
    return windows.stream()
        .mapToLong(
            window ->
                calls.stream()
                    .flatMap(List::stream)
                    .filter(window::overlaps)
                    .mapToLong(Window::length)
                    .max()
                    .orElse(SHORT_NANOS))
        .toArray();
  }

  private static void callOn(Context context, AtomicBoolean isOver, List<Window> calls) {
    try (Group group = context.createGroup(2);
        Arena arena = Arena.ofShared();
        Request request = request(group, arena, "org.example.stays:pull")) {
      while (!isOver.get()) {
        long start = System.nanoTime();
        request.run();
        long end = System.nanoTime();
        if (end - start >= SHORT_NANOS) {
          calls.add(new Window(start, end));
        }
      }
    }
  }
}
