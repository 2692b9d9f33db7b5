package dev.tutti.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.plan.work.Work;
import dev.tutti.plan.work.WorkListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands tell what they do while it takes long. The line that shows it has a clock and tests of
 * its own.
 */
class ProgressTest {

  @TempDir private Path directory;

  /** Notes the kinds of work. */
  private static final class Kinds implements WorkListener {

    private final Set<String> all = new LinkedHashSet<>();

    @Override
    public synchronized void at(double share, String what) {
      assertThat(share).isBetween(0.0, 1.0);
      all.add(what);
    }

    @Override
    public void ended() {}
  }

  private Set<String> kinds(String... command) {
    CommandLineHarness tutti = CommandLineHarness.withTestAlgorithms(directory);
    Kinds kinds = new Kinds();
    try (Work _ = Work.watch(kinds)) {
      Outcome outcome = tutti.call(command);
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }
    return kinds.all;
  }

  private static Stream<Arguments> commands() {
    return Stream.of(
        Arguments.of(
            "run allreduce/gathering -n 2",
            List.of(
                "loading plugins",
                "allocating buffers",
                "filling buffers",
                "planning gathering: recording",
                "planning gathering: compiling",
                "comparing results")),
        Arguments.of(
            "explain allreduce/gathering -n 2",
            List.of("comparing algorithms: planning gathering: recording")),
        Arguments.of("plan allreduce/gathering -n 2 --format json", List.of("writing")),
        Arguments.of("simulate allreduce/gathering -n 2", List.of("simulating")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandTellsWhatItDoes(String command, List<String> kinds) {
    assertThat(kinds(command.split(" "))).containsAll(kinds);
  }

  @Test
  void aUserWhoWatchesSeesIt() {
    Outcome outcome =
        CommandLineHarness.withTestAlgorithms(directory)
            .callWatched("run", "allreduce/gathering", "-n", "2", "-i", "1", "--json");

    assertThat(outcome.err()).contains("verifying", "warming up");
    assertThat(outcome.lines()).singleElement().asString().startsWith("{");
  }

  @Test
  void aUserWhoWatchesSeesHowManyRunsAreDone() {
    Outcome outcome =
        CommandLineHarness.withTestAlgorithms(directory)
            .callWatched("run", "allreduce/gathering", "-n", "2", "-i", "5000", "--json");

    assertThat(outcome.err()).contains(" of 5000").contains("timed runs");
  }

  /** The script shows the modules of a build from the log of Maven. */
  @Test
  void aUserWhoWatchesTheFirstBuildSeesItsModulesAndTheTimeThatIsLeft() throws Exception {
    Path log = directory.resolve("build.log");
    Files.writeString(log, "[INFO] Building Tutti engine 1.0     [11/21]\n[INFO] compiling\n");
    String function = "eval \"$(sed -n '/^show_progress() /,/^}/p' \"$1\")\"";
    Process script =
        new ProcessBuilder(
                "bash", "-c", function + "; show_progress \"$2\"", "bash", "../../tutti", "" + log)
            .start();
    try {
      byte[] shown = new byte["\r\033[Kmodule 11 of 21, about ".length()];
      assertThat(script.getErrorStream().readNBytes(shown, 0, shown.length))
          .isEqualTo(shown.length);
      assertThat(shown).asString(UTF_8).isEqualTo("\r\033[Kmodule 11 of 21, about ");
    } finally {
      script.destroyForcibly();
    }
  }
}
