package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a host in the middle of installs, swaps, rollbacks and removals, and opens its state again.
 * The steps inside the store are killed one by one in its own tests.
 */
class CrashTest {

  private static final int KILLS = Integer.getInteger("tutti.crash.kills", 4);

  /** Some changes of a dozen steps each come before the interrupted one. */
  private static final int FEWEST_STEPS = 40;

  private static final int MORE_STEPS = 100;

  @TempDir private Path directory;

  @Test
  void aHostThatIsKilledComesUpWithAKnownGeneration() throws Exception {
    Files.createDirectory(directory.resolve("plugins"));
    Random random = new Random(1);
    for (int kill = 0; kill < KILLS; kill++) {
      checkState(runAndKill(kill * 1_000, FEWEST_STEPS + random.nextInt(MORE_STEPS)));
    }
  }

  /** Returns the lines in which the host said what it did. */
  private List<String> runAndKill(int start, int steps) throws IOException, InterruptedException {
    Path said = directory.resolve("said" + start);
    Process host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dtutti.examination=here",
                "-cp",
                System.getProperty("java.class.path"),
                CrashedHost.class.getName(),
                directory.toString(),
                String.valueOf(start),
                String.valueOf(steps))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(said.toFile())
            .start();
    try {
      Await.until(() -> !host.isAlive() || isStopped(said));
      assertThat(host.isAlive()).as("the host lives; it said %s", lines(said)).isTrue();
    } finally {
      host.destroyForcibly().waitFor();
    }
    return lines(said);
  }

  private static boolean isStopped(Path said) {
    return lines(said).stream().anyMatch(line -> line.startsWith(CrashedHost.STOPPED));
  }

  /** The whole lines of a file that is being written. */
  private static List<String> lines(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The version that the last finished change led to, and the one that the change after it leads
   * to: that change may have been written down though the host was killed within it.
   */
  private static List<String> versions(List<String> said) {
    List<String> versions = new ArrayList<>();
    for (String line : said) {
      if (line.startsWith(CrashedHost.SERVES)) {
        versions.clear();
        versions.add(line.substring(CrashedHost.SERVES.length()));
      } else if (line.startsWith(CrashedHost.CHANGES)) {
        versions.add(line.substring(CrashedHost.CHANGES.length()));
      }
    }
    return versions;
  }

  private void checkState(List<String> said) throws IOException {
    Path plugins = directory.resolve("plugins");
    try (Context context =
        Context.builder().watchPlugins(plugins, directory.resolve("state")).open()) {
      PluginManager manager = context.pluginManager();
      List<PluginStatus> serving =
          manager.list().stream().filter(it -> it.state() == State.SERVING).toList();
      assertThat(serving).hasSizeLessThanOrEqualTo(1);
      String version = serving.isEmpty() ? CrashedHost.NONE : serving.getFirst().version();
      assertThat(version).as("the host said %s", said).isIn(versions(said));
      for (PluginStatus each : serving) {
        assertThat(context.plugins().algorithms())
            .allMatch(algorithm -> algorithm.version().equals(each.version()));
        assertThat(each.algorithms()).containsExactly("allreduce/pull");
      }
      try (Stream<Path> files = Files.list(plugins)) {
        assertThat(files.map(file -> file.getFileName().toString())).allMatch("pull.jar"::equals);
      }
    }
  }
}
