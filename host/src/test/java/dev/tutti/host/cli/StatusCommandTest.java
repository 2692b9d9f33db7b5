package dev.tutti.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class StatusCommandTest {

  @TempDir private Path directory;
  private Path plugins;

  @BeforeEach
  void makePluginsDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @Test
  void peopleSeeWhatIsGoingOn() throws Exception {
    try (ServedHost host =
        ServedHost.start(plugins, "--load", "allreduce", "-a", "gathering", "-n", "2")) {
      host.call("plugins", "pin", "org.example.ring", "0.9");

      Outcome outcome = host.call("status");

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.lines())
          .anyMatch(line -> line.startsWith("host       tutti "))
          .anyMatch(line -> line.matches("process +pid \\d+, up \\d+ s"))
          .contains("plugins    " + plugins, "state      " + host.state())
          .contains("catalogue  7 algorithms of 1 plugin for 4 operations")
          .anyMatch(line -> line.matches("memory +heap .* of .*, classes and code .*"))
          .anyMatch(line -> line.matches("threads +\\d+"))
          .anyMatch(line -> line.matches("classes +\\d+ loaded, \\d+ unloaded"))
          .anyMatch(line -> line.matches("load +allreduce, 2 ranks, 1 MiB: .* 0 wrong, 0 failed.*"))
          .anyMatch(line -> line.matches("org.example.ring +0.9 +serving, pinned +3 +1000 +1"))
          .anyMatch(line -> line.matches("group of +ranks +for"))
          .anyMatch(line -> line.matches("load +2 +\\d+ s"))
          .anyMatch(line -> line.endsWith("  org.example.ring 0.9 serves: pinned"));
    }
  }

  @Test
  void jsonHasTheAgreedKeys() throws Exception {
    try (ServedHost host = ServedHost.start(plugins)) {
      Outcome outcome = host.call("status", "--json");

      assertThat(outcome.lines()).hasSize(1);
      JsonNode status = JsonMapper.shared().readTree(outcome.out());
      assertThat(status.propertyNames())
          .containsExactly(
              "version",
              "pid",
              "startedAt",
              "uptimeSeconds",
              "pluginsDirectory",
              "stateDirectory",
              "algorithms",
              "operations",
              "heapBytes",
              "maxHeapBytes",
              "otherBytes",
              "threads",
              "loadedClasses",
              "unloadedClasses",
              "load",
              "plugins",
              "use",
              "groups",
              "activity",
              "changes");
      assertThat(status.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
      assertThat(status.get("load").isNull()).isTrue();
      assertThat(status.get("plugins")).hasSize(2);
      assertThat(status.get("threads").asInt()).isPositive();
    }
  }

  @Test
  void theLastChangesAreKept() {
    News news =
        new News(
            new Terminal(
                new PrintWriter(new StringWriter()),
                new PrintWriter(new StringWriter()),
                false,
                false),
            () -> Instant.EPOCH);
    for (int i = 0; i < 30; i++) {
      news.accept("change " + i);
    }

    List<News.Item> last = news.last();
    assertThat(last).hasSize(20);
    assertThat(last.getFirst().text()).isEqualTo("change 10");
    assertThat(last.getLast().text()).isEqualTo("change 29");
  }
}
