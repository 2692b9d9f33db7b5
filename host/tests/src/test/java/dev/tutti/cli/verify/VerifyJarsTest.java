package dev.tutti.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.plugin.PluginJars;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code tutti verify} of jars that are built here. */
class VerifyJarsTest {

  private static final List<String> QUICK =
      List.of("-n", "2,3", "-c", "4", "-t", "int32", "-o", "sum", "--faults", "0");

  @TempDir private Path plugins;
  @TempDir private Path files;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  @Test
  void theReplayCommandOfABrokenJarBreaksTheSameRule() {
    Path jar =
        PluginJars.plugin("org.broken").allReduce("Nothing", "nothing").write(files, "b.jar");

    Outcome outcome = verify(jar.toString(), "--json");

    assertThat(outcome.exitCode()).isEqualTo(1);
    JsonNode failure = VerifyCommandTest.json(outcome).getFirst();
    assertThat(failure.get("plugin").asString()).isEqualTo("org.broken");
    assertThat(failure.get("version").asString()).isEqualTo("1.2.3");
    assertThat(VerifyCommandTest.texts(failure.get("rules"))).contains("SEM-1");
    String command = failure.get("replay").asString();
    assertThat(command).startsWith("tutti verify " + jar + " nothing --faults 0 --replay '");
    Outcome again = tutti.call(words(command));
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.out()).contains("SEM-1").contains("allreduce  org.broken:nothing");
  }

  /** The words of a command as a shell would split it, without the program. */
  private static String[] words(String command) {
    int token = command.indexOf('\'');
    List<String> words = new ArrayList<>(List.of(command.substring(0, token).strip().split(" ")));
    words.removeFirst();
    words.add(command.substring(token + 1, command.length() - 1));
    return words.toArray(String[]::new);
  }

  @Test
  void onlyTheAlgorithmsOfTheNamedPlacesAreVerified() {
    PluginJars.plugin("a").allReduce("A", "one").write(files, "a.jar");
    PluginJars.plugin("b").allReduce("B", "two").write(files, "b.jar");

    List<JsonNode> lines = VerifyCommandTest.json(verify(files.toString(), "--json", "--static"));

    assertThat(lines)
        .filteredOn(line -> line.get("kind").asString().equals("algorithm"))
        .extracting(line -> line.get("algorithm").asString())
        .containsExactly("one", "two");
  }

  @Test
  void aNameChoosesAmongTheAlgorithmsOfAJar() {
    Path jar =
        PluginJars.plugin("a").allReduce("A", "one").allReduce("B", "two").write(files, "a.jar");

    List<JsonNode> lines =
        VerifyCommandTest.json(verify(jar.toString(), "two", "--json", "--static"));

    assertThat(lines)
        .filteredOn(line -> line.get("kind").asString().equals("algorithm"))
        .extracting(line -> line.get("algorithm").asString())
        .containsExactly("two");
  }

  @Test
  void aNameThatTwoPluginsHaveMeansBothAndIsQualifiedInCommands() {
    PluginJars.plugin("a").allReduce("A", "one").write(files, "a.jar");
    PluginJars.plugin("b").allReduce("B", "one").write(files, "b.jar");

    Outcome outcome = verify(files.toString(), "one");

    assertThat(outcome.out())
        .contains("allreduce  a:one", "allreduce  b:one")
        .contains("again: tutti verify " + files + " a:one --faults 0 --replay '")
        .contains("again: tutti verify " + files + " b:one --faults 0 --replay '");
  }

  @Test
  void everyProviderProblemIsListedAndIsNoSuccess() {
    Path jar =
        PluginJars.plugin("half")
            .allReduce("Fine", "fine")
            .provider("NoExecutor", "package p; public class NoExecutor {}")
            .provider("Hidden", "package p; class Hidden {}")
            .write(files, "half.jar");

    Outcome outcome = verify(jar.toString(), "--json", "--static", "--rule", "SYN-1");

    assertThat(outcome.err().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("tutti: plugin problem: [TUTTI-404] half.jar: p."));
    assertThat(VerifyCommandTest.json(outcome))
        .extracting(line -> line.get("kind").asString())
        .containsExactly("problem", "problem", "algorithm", "verdict");
    assertThat(VerifyCommandTest.json(outcome).getFirst().get("code").asString())
        .isEqualTo("TUTTI-404");
    assertThat(VerifyCommandTest.json(outcome).getLast().get("clean").asBoolean()).isFalse();
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  @Test
  void problemsOfOtherPluginsDoNotMatterToANamedAlgorithm() {
    PluginJars.bare().write(plugins, "plain.jar");

    Outcome outcome = verify("gathering");

    assertThat(outcome.err()).contains("plain.jar");
    assertThat(outcome.exitCode()).isZero();
    assertThat(verify("--operation", "broadcast").exitCode()).isEqualTo(3);
  }

  private Outcome verify(String... arguments) {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(arguments));
    all.addAll(QUICK);
    if (List.of(arguments).contains("broadcast")) {
      all.removeAll(List.of("-o", "sum"));
    }
    if (List.of(arguments).contains("--static")) {
      all.removeAll(List.of("--faults", "0"));
    }
    return tutti.call(all.toArray(String[]::new));
  }
}
