package dev.tutti.cli.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.serve.ServedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(600)
class PluginsCommandTest {

  @TempDir private Path directory;
  private Path plugins;
  private ServedHost host;

  @BeforeEach
  void serve() throws IOException, InterruptedException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    host = ServedHost.start(plugins);
  }

  @AfterEach
  void end() throws Exception {
    host.close();
  }

  private static Outcome offline(Path plugins, String... arguments) {
    return ServedHost.call(plugins, arguments);
  }

  @Test
  void everyVersionIsListed() {
    Outcome outcome = host.call("plugins", "list");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.lines())
        .containsExactly(
            "plugin            version  state        file          algorithms                      "
                + "           runs  reason",
            "org.example.ring  1.0      serving      ring-1.0.jar  allreduce/ring, allgather/ring"
                + " and 1 more  1000  the newest version",
            "-                 -        quarantined  -             -                               "
                + "              0  it is no jar, which is said in a sentence of more than sixt…");
  }

  @Test
  void jsonHasEveryField() {
    Outcome outcome = host.call("plugins", "list", "--json");

    assertThat(outcome.lines())
        .containsExactly(
            ("{'plugins':'%s','state':'%s','serving':true,'versions':["
                    + "{'id':'org.example.ring','version':'1.0','content':'%s','file':'%s',"
                    + "'state':'serving','reason':'the newest version',"
                    + "'signature':'not signed','pinned':false,"
                    + "'algorithms':['allreduce/ring','allgather/ring','broadcast/ring'],"
                    + "'since':'2026-01-02T03:04:05Z','plans':3,'runs':1000,'failures':1},"
                    + "{'id':'','version':'','content':'%s','file':null,'state':'quarantined',"
                    + "'reason':'it is no jar, which is said in a sentence of more than sixty"
                    + " characters','signature':'','pinned':false,'algorithms':[],'since':'2026-01-02T03:04:05Z',"
                    + "'plans':0,'runs':0,'failures':0}]}")
                .formatted(
                    plugins,
                    host.state(),
                    "ab".repeat(32),
                    plugins.resolve("ring-1.0.jar"),
                    "cd".repeat(32))
                .replace('\'', '"'));
  }

  @Test
  void whyIsAParagraph() {
    assertThat(host.call("plugins", "why", "org.example.ring"))
        .isEqualTo(new Outcome(0, "the newest version, says the test.\n", ""));
    assertThat(host.call("plugins", "why", "org.example.ring", "--json").out())
        .isEqualTo(
            "{\"plugin\":\"org.example.ring\",\"why\":\"the newest version, says the test.\"}\n");
  }

  @Test
  void whatIsUnknownIsNamed() {
    for (String command : List.of("why", "remove", "rollback", "unpin")) {
      Outcome outcome = host.call("plugins", command, "org.example.rong");
      assertThat(outcome.exitCode()).as(command).isEqualTo(2);
      assertThat(outcome.err())
          .isEqualTo(
              "tutti: [TUTTI-102] unknown plugin 'org.example.rong'; did you mean"
                  + " 'org.example.ring'? (known: org.example.ring)\n");
    }
  }

  @Test
  void aPluginIsInstalledFromTheDirectoryOfTheClient() {
    Outcome outcome = host.call("plugins", "install", "good.jar");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.lines())
        .containsExactly(
            "org.example.ring 1.1: serving; installed",
            "algorithms: allreduce/ring, allgather/ring, broadcast/ring");
    assertThat(host.call("plugins", "list").out()).contains("1.1");
  }

  @Test
  void aPluginThatIsRefusedIsAFailure() {
    Path bad = Path.of("bad.jar").toAbsolutePath();
    for (String command : List.of("install", "verify")) {
      Outcome outcome = host.call("plugins", command, "bad.jar");
      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.err()).isEqualTo("tutti: [TUTTI-409] " + bad + " breaks rule SYN-1\n");
    }
  }

  @Test
  void aPinIsShown() {
    assertThat(host.call("plugins", "pin", "org.example.ring", "0.9").lines())
        .first()
        .isEqualTo("org.example.ring 0.9: serving, pinned; pinned");
    JsonNode unpinned =
        JsonMapper.shared()
            .readTree(host.call("plugins", "unpin", "org.example.ring", "--json").out());
    assertThat(unpinned.get("version").asString()).isEqualTo("1.0");
    assertThat(unpinned.get("pinned").asBoolean()).isFalse();
  }

  @Test
  void changesAreSentences() {
    assertThat(host.call("plugins", "rescan").out()).isEqualTo("nothing has changed\n");
    assertThat(host.call("plugins", "rescan", "--json").out()).isEqualTo("{\"changes\":[]}\n");
    assertThat(host.call("plugins", "remove", "org.example.ring").lines())
        .containsExactly("org.example.ring no longer serves", "ring-1.0.jar is deleted");
  }

  @Test
  void whereThereIsNothingToReturnToThatIsTheEnvironment() {
    Outcome outcome = host.call("plugins", "rollback", "org.example.ring");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .isEqualTo("tutti: [TUTTI-411] nothing was served before org.example.ring\n");
  }

  @Test
  void withoutAHostTheDirectoriesAreOpened() throws IOException {
    Path idle = Files.createDirectory(directory.resolve("idle"));

    Outcome list = offline(idle, "plugins", "list");
    assertThat(list.exitCode()).isZero();
    assertThat(list.err()).isEqualTo("tutti: no host serves " + idle + ".state\n");
    assertThat(list.out()).contains("org.example.ring", " ready ").doesNotContain("serving");

    JsonNode json = JsonMapper.shared().readTree(offline(idle, "plugins", "list", "--json").out());
    assertThat(json.get("serving").asBoolean()).isFalse();

    String jar = Files.createFile(directory.resolve("good.jar")).toString();
    assertThat(offline(idle, "plugins", "install", jar).lines())
        .first()
        .isEqualTo("org.example.ring 1.1: ready; installed");
  }

  /** To open a directory takes the time to examine all its plugins. */
  @ParameterizedTest
  @ValueSource(strings = {"install", "verify"})
  void withoutAHostAMissingJarIsRefusedBeforeDirectoriesAreOpened(String command)
      throws IOException {
    Path idle = Files.createDirectory(directory.resolve("idle"));

    Outcome outcome = offline(idle, "plugins", command, directory + "/none.jar");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "tutti: [TUTTI-401] "
                + directory
                + "/none.jar does not exist; name the jar of a plugin\n");
  }

  @Test
  void withoutAHostAJarIsVerifiedByItself() throws IOException {
    String jar = Files.createFile(directory.resolve("good.jar")).toString();
    Outcome outcome = offline(directory.resolve("missing"), "plugins", "verify", jar);

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .first()
        .isEqualTo("org.example.ring 1.1: standby; would be admitted");
    assertThat(outcome.err())
        .isEqualTo("tutti: no host serves " + directory.resolve("missing.state") + "\n");
    assertThat(directory).isDirectoryNotContaining("glob:**missing*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list",
        "why",
        "verify",
        "install",
        "remove",
        "rollback",
        "pin",
        "unpin",
        "rescan"
      })
  void everyCommandExplainsItself(String command) {
    Outcome outcome = host.call("plugins", command, "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .startsWith("Usage: tutti plugins " + command)
        .contains("--state=<dir>", "--plugins=<dir>", "--json", "Exit codes:", "Examples:");
  }

  @Test
  void withoutACommandTheyAreListed() {
    assertThat(host.call("plugins").out())
        .startsWith("Usage: tutti plugins")
        .contains("rollback", "rescan");
    Outcome outcome = host.call("plugins", "lits");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-102] unknown command 'lits'; did you mean 'list'?");
  }
}
