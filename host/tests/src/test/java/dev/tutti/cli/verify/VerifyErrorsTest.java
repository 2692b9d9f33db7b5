package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.plugin.PluginJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code tutti verify} refuses. */
class VerifyErrorsTest {

  @TempDir private Path plugins;
  @TempDir private Path files;

  /** Arguments, and how the first line of the answer starts. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "gatherin => [TUTTI-102] unknown algorithm or operation 'gatherin'; did you mean"
            + " 'gathering'? (known: forgetful, gathering,",
        "allreduc => [TUTTI-102] unknown algorithm or operation 'allreduc'; did you mean"
            + " 'allreduce'? (known:",
        "scan => [TUTTI-201] no plugin has an algorithm for scan; the plugins have algorithms for:"
            + " allreduce, broadcast, send, receive. Name another plugins directory with --plugins",
        "gathering --static=3 => [TUTTI-101] --static takes no value. Actual: '3'",
        "gathering --param x => [TUTTI-101] --param takes <name=value>. Actual: 'x'",
        "gathering --ranks two => [TUTTI-101] --ranks: 'two' is not a whole number",
        "gathering --planning-limit 10q => [TUTTI-101] --planning-limit: '10q' is not a time such as"
            + " 500ms, 1.5s or 2m (seconds without a unit)",
        "gathering --replay allreduce;parm.pieces=2 => [TUTTI-102] unknown field of a case"
            + " 'parm.pieces'; did you mean 'param.pieces'?",
        "gathering --replay allreduce;param.piece=2 => [TUTTI-102] unknown algorithm parameter"
            + " 'piece'; did you mean 'pieces'? (known: pieces)",
        "allreduce/gatherin => [TUTTI-102] unknown allreduce algorithm 'gatherin'; did you mean"
            + " 'gathering'? (known: forgetful, gathering, stuck, throwing)",
        "embeded:gathering => [TUTTI-102] unknown algorithm or operation 'embeded:gathering'; did"
            + " you mean 'embedded:gathering'? (known: embedded:forgetful,",
        "--algorithm gatherin => [TUTTI-102] unknown algorithm or operation 'gatherin'; did you mean"
            + " 'gathering'? (known: forgetful, gathering,",
        "broadcast -a gathering => [TUTTI-102] unknown algorithm or operation 'gathering'"
            + " (known: star, broadcast)",
        "--topology found -n 0 => [TUTTI-104] --ranks must be 1 or more. Actual: 0",
        "gathering --operation broadcast => [TUTTI-102] unknown algorithm or operation 'gathering'"
            + " (known: star, broadcast)",
        "--operation scan => [TUTTI-201] no plugin has an algorithm for scan; the plugins have"
            + " algorithms for: allreduce, broadcast, send, receive",
        "--operation brodcast => [TUTTI-102] unknown operation 'brodcast'; did you mean"
            + " 'broadcast'? (known:",
        "star --op max => [TUTTI-101] none of the chosen algorithms takes --op; leave it out",
        "gathering --root 1 => [TUTTI-101] none of the chosen algorithms takes --root; leave it"
            + " out",
        "gathering --ranks 0 => [TUTTI-104] --ranks must be 1 or more. Actual: 0",
        "gathering --topology 8*4 => [TUTTI-101] --topology:",
        "gathering --count -1 -n 2 => [TUTTI-105] the count of a case must be 0 or more. Actual:"
            + " -1",
        "star --root 3 -n 3 => [TUTTI-104] the root of a case must be 0 to 2. Actual: 3",
        "gathering --op band --type float32 => [TUTTI-103] reduction band takes integer types"
            + " only.",
        "gathering --type flot32 => [TUTTI-102] unknown data type 'flot32'; did you mean"
            + " 'float32'?",
        "gathering --mode grph => [TUTTI-102] unknown workflow mode 'grph'; did you mean 'graph'?",
        "gathering --rule SYNN-1 => [TUTTI-102] unknown rule 'SYNN-1'; did you mean 'SYN-1'? (known:",
        "gathering --without X => [TUTTI-102] unknown rule 'X' (known:",
        "gathering --rule MEM-1 --without MEM-1 => [TUTTI-101] --rule and --without leave no rule;"
            + " leave one of them out",
        "gathering --static --faults 3 => [TUTTI-101] --static runs nothing; leave it out, or"
            + " leave out --schedules, --stress and --faults",
        "gathering --schedules -1 => [TUTTI-101] --schedules must be 0 or more. Actual: -1",
        "gathering --stress -1 => [TUTTI-101] --stress must be 0 or more. Actual: -1",
        "gathering --faults -1 => [TUTTI-101] --faults must be 0 or more. Actual: -1",
        "gathering --workers 0 => [TUTTI-101] --workers must be 1 or more. Actual: 0",
        "gathering --max-failures -1 => [TUTTI-101] --max-failures must be 0 or more. Actual: -1",
        "gathering --replay allreduc => [TUTTI-102] unknown operation 'allreduc'; did you mean",
        "gathering --replay allreduce;rank=2 => [TUTTI-102] unknown field of a case 'rank'; did"
            + " you mean 'ranks'?",
        "gathering --replay broadcast;ranks=2 => [TUTTI-101] --replay names a case of broadcast,"
            + " but the chosen algorithms are for allreduce",
        "gathering --replay allreduce;ranks=2 -n 3 --full => [TUTTI-101] --replay names the whole"
            + " case; leave out --ranks, --full, or change it in the token",
        "gathering --frobnicate => [TUTTI-102] unknown option '--frobnicate'",
      })
  void badInputIsAnsweredWithCodeTwo(String arguments, String message) {
    Outcome outcome = verify(arguments.split(" "));

    assertThat(outcome.err().lines().findFirst().orElse("")).startsWith("tutti: " + message);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().skip(1)).allMatch(line -> line.startsWith("Try 'tutti"));
  }

  @Test
  void aNameThatIsADirectoryIsToldHowToBeWritten() {
    Outcome outcome = verify("src");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("; if you mean the directory, write ./src");
  }

  @Test
  void aPathThatIsNotThereIsAnEnvironmentProblem() {
    Path missing = files.resolve("missing.jar");

    Outcome outcome = verify(missing.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-401] " + missing + " does not exist; name a plugin jar or ")
        .hasLineCount(1);
  }

  @Test
  void aPathThatIsNoOperationIsNotTakenForOne() {
    Outcome outcome = verify("./nope");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .isEqualToIgnoringNewLines(
            "tutti: [TUTTI-401] ./nope does not exist; name a plugin jar or a directory of them");
  }

  @Test
  void anOperationThatIsMisspeltBeforeASlashIsNamed() {
    Outcome outcome = verify("allreduc/gathering");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-401] allreduc/gathering does not exist; ")
        .contains("unknown operation 'allreduc'; did you mean 'allreduce'?");
  }

  @Test
  void aFileThatIsNoJarIsAPluginProblem() throws IOException {
    Path file = Files.writeString(files.resolve("broken.jar"), "this is no jar");

    Outcome outcome = verify(file.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("tutti: plugin problem: [TUTTI-401] broken.jar: it is not a jar"),
            line ->
                assertThat(line)
                    .startsWith(
                        "tutti: [TUTTI-401] there is no algorithm that can be loaded in " + file));
  }

  @Test
  void aJarThatIsNoPluginIsAPluginProblem() {
    Path jar = PluginJars.bare().write(files, "plain.jar");

    Outcome outcome = verify(jar.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: plugin problem: [TUTTI-402] plain.jar: it has no META-INF/tutti/")
        .contains("tutti: [TUTTI-402] there is no algorithm that can be loaded in ");
  }

  @Test
  void anEmptyDirectoryHasNothingToVerify() {
    Outcome outcome = verify(files.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-401] there is no algorithm in " + files + ": no file there ends")
        .hasLineCount(1);
  }

  @Test
  void twoPlacesForAlgorithmsContradictEachOther() {
    Outcome outcome = verify(files.toString(), "--plugins", plugins.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-101] --plugins and " + files + " both say where");
  }

  private Outcome verify(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "verify";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandLineHarness.withTestAlgorithms(plugins).call(all);
  }
}
