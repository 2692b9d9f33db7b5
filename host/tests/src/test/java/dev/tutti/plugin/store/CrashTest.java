package dev.tutti.plugin.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts are killed in the middle of their work, and the next one continues from there. */
final class CrashTest {

  @TempDir private Path directory;

  /** The number of steps that all hosts have reported as done. */
  private long acknowledged;

  /** The state when the last host was opened. */
  private PluginState known = PluginState.EMPTY;

  @Test
  void goesOnAfterAKillAtEachStep() throws Exception {
    for (Step step : EnumSet.range(Step.COPY_STARTED, Step.DELETE_DONE)) {
      Process host = Children.start(CrashingHost.class, directory, step);
      BufferedReader output = Children.output(host);
      readUntil(output, "at " + step);
      Children.kill(host);
      assertThat(output.readLine()).isNull();
      assertThatTheNextHostGoesOn("killed at " + step);
    }
  }

  @Test
  void goesOnAfterAKillAtAnyMoment() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 5; round++) {
      Process host = Children.start(CrashingHost.class, directory, "NEVER");
      BufferedReader output = Children.output(host);
      readUntil(output, String.valueOf(acknowledged + 1 + random.nextInt(50)));
      Children.kill(host);
      readUntil(output, "");
      assertThatTheNextHostGoesOn("killed in round " + round);
    }
    assertThat(acknowledged).isGreaterThan(5);
  }

  private void readUntil(BufferedReader output, String end) throws IOException {
    String line = output.readLine();
    while (line != null && !line.equals(end)) {
      acknowledged = Math.max(acknowledged, number(line));
      line = output.readLine();
    }
    if (!end.isEmpty()) {
      assertThat(line).isEqualTo(end);
      acknowledged = Math.max(acknowledged, number(line));
    }
  }

  /** The number in a line; a killed host may leave half of one, which is smaller. */
  private static long number(String line) {
    return line.matches("\\d+") ? Long.parseLong(line) : 0;
  }

  private void assertThatTheNextHostGoesOn(String when) throws IOException {
    try (PluginStore store = PluginStore.open(directory.resolve("state"), () -> Instant.EPOCH)) {
      PluginState state = store.state();
      assertThat(state.sequence()).as(when).isBetween(acknowledged, acknowledged + 1);
      known = CrashScript.advance(known, state.sequence());
      assertThat(state).as(when).isEqualTo(known);
      assertThat(files(directory.resolve("state")))
          .as(when)
          .containsExactlyInAnyOrder("journal.jsonl", "lock", "store");
      assertThat(files(directory.resolve("state/store")))
          .as(when)
          .isEqualTo(state.contents().stream().map(it -> it + ".jar").collect(Collectors.toSet()));
      state.contents().forEach(it -> assertThat(store.find(it)).as(when).isPresent());
      CrashScript.go(store, directory);
      acknowledged = store.state().sequence();
    }
  }

  private static Set<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }
}
