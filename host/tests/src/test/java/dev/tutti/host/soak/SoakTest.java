package dev.tutti.host.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.serve.KilledHosts;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.plugin.live.LivePlugins;
import dev.tutti.plugin.live.PullJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lives a long day in a short time: calls, captures, cancels, closes and dead ranks while plugins
 * are swapped, all at random. {@code tutti.soak.seconds} and {@code tutti.soak.seed} say how long
 * and which one.
 */
@Timeout(value = 48 * 60, unit = java.util.concurrent.TimeUnit.MINUTES)
class SoakTest {

  private static final long SEED = Long.getLong("tutti.soak.seed", 20);
  private static final int SECONDS = Integer.getInteger("tutti.soak.seconds", 8);
  private static final int LEAST_TURNS = 1;

  @TempDir private Path directory;

  @Test
  void nothingIsLostWrongHungLeakedOrWithoutACode() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Path workshop = Files.createDirectory(directory.resolve("workshop"));
    List<String> threadsBefore = threads();
    // The compiler of the jars keeps its class path open.
    PullJar.of("dev.tutti.soak.first", "1").write(directory.resolve("first.jar"));
    long filesBefore = openFiles();
    try (Context context =
        SampleAlgorithms.addTo(Context.builder())
            .watchPlugins(plugins, directory.resolve("state"))
            .open()) {
      LivePlugins live = (LivePlugins) context.pluginManager();
      Soak soak = new Soak(SEED, Duration.ofSeconds(SECONDS));
      soak.add("calls", 2, new Calls(context));
      soak.add("ranks", 1, new Ranks(context));
      soak.add("arenas", 1, new Arenas(context));
      soak.add("jobs", 1, new Jobs());
      soak.add("swaps", 1, new Swaps(live, workshop));
      soak.add("kills", 1, new KilledHosts(Files.createDirectory(directory.resolve("kills"))));

      soak.run(LEAST_TURNS, System.out::println);

      assertThat(context.groups()).isEmpty();
      assertThat(live.awaitDrained(Duration.ofMinutes(2))).isTrue();
      Await.collection(() -> live.uncollected() == 0);
      live.rescan();
      try (Stream<Path> copies = Files.list(directory.resolve("state").resolve("store"))) {
        assertThat(copies.count()).as("copies of jars").isLessThan(8);
      }
    }
    Await.until(() -> threadsBefore.containsAll(threads()));
    assertThat(openFiles()).as("open files").isLessThan(filesBefore + 20);
  }

  /** The threads; any that a host leaves behind would be among them. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tutti-") || name.startsWith("soak-"))
        .toList();
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
}
