package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class CompletionCommandTest {

  /** Completes the last of its arguments. */
  private static final String COMPLETE =
      """
      source "$SCRIPT"
      compopt() { :; }
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _complete_tutti
      printf '%s\\n' "${COMPREPLY[@]}"
      """;

  @TempDir private Path directory;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(directory);
  }

  private String script(String shell) {
    CommandLineHarness.Outcome outcome = tutti.call("completion", shell);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome.out();
  }

  @ParameterizedTest
  @CsvSource({
    "tutti be, bench",
    "tutti plugins inst, install",
    "tutti perf --ng, --ngpus",
    "tutti run allred, allreduce",
    "tutti perf all_re, all_reduce",
    "tutti simulate allred, allreduce",
    "tutti verify barr, barrier",
    "tutti run allreduce --op av, avg",
    "tutti run allreduce --mode op, op-base",
    "tutti completion fi, fish",
    "tutti run allreduce --algorithm gath, gathering",
    "tutti verify --algorithm gath, gathering",
    "tutti verify forg, forgetful",
    "tutti bench forg, forgetful",
    "tutti man simu, simulate",
    "tutti man plugins inst, install",
    "tutti help simu, simulate"
  })
  void bashCompletesCommandsOptionsAndValues(String typed, String completed) throws Exception {
    Path script = Files.writeString(directory.resolve("tutti.bash"), script("bash"));
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", COMPLETE, "bash");
    builder.command().addAll(List.of(typed.split(" ")));
    builder.environment().putAll(Map.of("SCRIPT", script.toString()));
    Process process = builder.redirectErrorStream(true).start();

    String answer =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(answer).isZero();
    assertThat(answer).isEqualTo(completed);
  }

  @Test
  void theScriptOfBashIsOneOfZshToo() {
    assertThat(script("zsh")).isEqualTo(script("bash")).contains("$ZSH_VERSION");
  }

  @Test
  void fishHasALineForEachCommandOptionAndSetOfValues() {
    assertThat(script("fish").lines())
        .contains(
            "complete -c tutti -n '__tutti_at' -a bench -d 'Measures an operation over sizes and"
                + " numbers of ranks.'",
            "complete -c tutti -n '__tutti_at' -a help -d 'Shows the help of a command.'",
            "complete -c tutti -n '__tutti_at plugins' -a list -d 'Lists every version"
                + " of every plugin that the host knows, and its state.'",
            "complete -c tutti -n '__tutti_in plugins list' -l plugins -r -F -d 'The plugins"
                + " directory of the host.'",
            "complete -c tutti -n '__tutti_in run' -l memory -x -a 'heap native registered' -d"
                + " 'The memory of the buffers: registered (default), native or heap.'",
            "complete -c tutti -n '__tutti_in run' -l rules -r -F -d 'The file with"
                + " rules and measurements for choosing algorithms; see \\'tutti tune\\'.'",
            "complete -c tutti -n '__tutti_in completion' -a 'bash zsh fish'",
            "complete -c tutti -n '__tutti_in simulate' -s a -l algorithm -x -a 'forgetful"
                + " gathering plain star stuck throwing' -d 'The algorithm of the operation, ring or"
                + " plugin-id:ring.'")
        .anyMatch(line -> line.startsWith("complete -c tutti -n '__tutti_in man' -a 'run bench "))
        .anyMatch(line -> line.startsWith("complete -c tutti -n '__tutti_in verify' -r -F -a 'all"))
        .noneMatch(line -> line.contains("no-heading"));
  }

  @Test
  void withoutPluginsTheScriptHasNoAlgorithmsAndSaysSo() {
    Path missing = directory.resolve("missing");

    CommandLineHarness.Outcome outcome =
        new CommandLineHarness(missing, Context::builder).call("completion", "bash");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("_complete_tutti");
    assertThat(outcome.err())
        .startsWith("tutti: the script has no names of algorithms: ")
        .contains(missing.toString())
        .hasLineCount(1);
  }
}
