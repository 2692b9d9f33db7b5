package dev.tutti.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class DevCommandTest {

  /** Ends the line that reports a round. */
  private static final String ROUND = " s after the s";

  @TempDir private Path directory;

  @Test
  void everySaveIsBuiltAndWhatChangedIsVerified() throws Exception {
    Path project = DevSession.makeProject(directory);
    Path source = DevSession.source(project);
    String right = Files.readString(source);
    try (DevSession session = DevSession.start("dev", project.toString())) {
      assertThat(session.await(1, ROUND))
          .matches(
              "\\d\\d:\\d\\d:\\d\\d  built in \\d+\\.\\d s; barrier/gate: correct in 56 cases"
                  + " \\(\\d+\\.\\d s after the start\\)");

      DevSession.save(source, right.replace("root.post(stream", "\troot.pots(stream"));
      assertThat(session.await(2, ROUND))
          .matches("\\S+  not built: 1 error \\(\\d+\\.\\d s after the save\\)");
      assertThat(session.out())
          .containsPattern(
              "\nsrc/main/java/org/example/gate/GateBarrier.java:\\d+:12: error: cannot find"
                  + " symbol\n {10}root.pots\\(stream.*\n {14}\\^\n");

      // Nobody awaits what is posted.
      DevSession.save(source, right.replace("root.await(stream, Link.FIN)", ""));
      assertThat(session.await(3, ROUND)).containsPattern("; barrier/gate: breaks .*SYN-3.* in ");
      assertThat(session.out())
          .contains("SYN-3 notify left over", " at GateBarrier.kernelRun(GateBarrier.java:")
          .contains(" " + project.resolve("target/tutti-dev/gate-1.0.0.jar") + " gate --replay '");

      // What is touched has not changed, so the next round is that of a new class.
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
      DevSession.save(source, right);
      assertThat(session.await(4, ROUND)).contains("; barrier/gate: correct in 56 cases (");
      Path added = Files.createDirectories(source.resolveSibling("added")).resolve("Second.java");
      DevSession.save(
          added,
          right
              .replace("package org.example.gate;", "package org.example.gate.added;")
              .replace("GateBarrier", "Second")
              .replace("\"gate\"", "\"second\"")
              .replace("ROOT = 0", "ROOT = Root.of()"));
      Path used = added.resolveSibling("Root.java");
      String root = "package org.example.gate.added; class Root { static int of() { return 0; } }";
      DevSession.save(used, root);
      String both = "; barrier/second: correct in 56 cases; 1 algorithm unchanged (";
      session.await(1, both);

      DevSession.save(used, root.replace("0", "1 - 1"));
      session.await(1, "no algorithm has changed");
      DevSession.save(used, root.replace("0", "Integer.parseInt(\"0\")"));
      session.await(2, both);

      DevSession.save(source, right.replace("ROOT = 0", "ROOT = 1 - 1"));
      session.await(2, "no algorithm has changed");
      assertThat(session.err()).isEmpty();

      // It can be no plugin for a while.
      Path manifest = project.resolve("src/main/resources/META-INF/tutti/plugin.json");
      String plugin = Files.readString(manifest);
      DevSession.save(manifest, plugin.replace("\"id\"", "\"di\""));
      session.await(1, "; 1 plugin problem (");
      assertThat(session.err()).startsWith("tutti: plugin problem: [TUTTI-402] gate-1.0.0.jar: ");
      Files.delete(manifest);
      Await.until(
          () -> session.err().contains("plugin.json, the file that names the plugin, is missing;"));
      DevSession.save(manifest, plugin);
      session.await(3, "no algorithm has changed");
      assertThat(session.interrupt()).isZero();
    }
  }

  @Test
  void oneRoundEndsWithTheExitCodeOfItsVerdict() throws Exception {
    Path project = DevSession.makeProject(directory);
    Path source = DevSession.source(project);
    String right = Files.readString(source);

    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Outcome outcome = once(project, "--plugins", plugins.toString());
    assertThat(outcome.err()).isEqualTo("tutti: no host serves " + plugins + ".state\n");
    assertThat(outcome.lines()).hasSize(2);
    assertThat(outcome.lines().getLast())
        .contains("  installed in " + plugins + ": org.example.gate 1.0.0: ready; ");
    assertThat(plugins.resolve("gate-1.0.0.jar"))
        .hasSameBinaryContentAs(project.resolve("target/tutti-dev/gate-1.0.0.jar"));
    assertThat(outcome.exitCode()).isZero();

    DevSession.save(source, right.replace("comm.link(rank).post(", "comm.link(rank).pots("));
    assertThat(once(project).exitCode()).isEqualTo(4);

    DevSession.save(source, right.replace("comm.link(rank).await(stream, Link.READY);", ""));
    assertThat(once(project).exitCode()).isEqualTo(1);
  }

  @Test
  void aProjectMayBeAModule() throws Exception {
    Path project = DevSession.makeProject(directory);
    Files.writeString(
        project.resolve("src/main/java/module-info.java"),
        "module org.example.gate { requires dev.tutti.sdk; }");

    Outcome outcome = once(project);

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("; barrier/gate: correct in 56 cases (");
    assertThat(outcome.exitCode()).isZero();
  }

  private static Outcome once(Path project, String... more) {
    String[] all = new String[more.length + 3];
    all[0] = "dev";
    all[1] = project.toString();
    all[2] = "--once";
    System.arraycopy(more, 0, all, 3, more.length);
    return DevSession.call(all);
  }

  @Test
  void aCorrectJarIsSwappedIntoTheHostThatServesThePluginsDirectory() throws Exception {
    Path project = DevSession.makeProject(directory);
    Path source = DevSession.source(project);
    String right = Files.readString(source);
    String plugins = Files.createDirectory(directory.resolve("plugins")).toString();
    try (DevSession host = DevSession.start("serve", "--plugins", plugins)) {
      host.await(1, "serving 0 algorithms");
      try (DevSession session = DevSession.start("dev", project.toString(), "--plugins", plugins)) {
        assertThat(session.await(1, "installed in"))
            .contains(
                "  installed in " + plugins + ": org.example.gate 1.0.0: serving; version 1.0.0 in")
            .contains(ROUND);

        DevSession.save(source, right.replace("root.await(stream, Link.FIN)", ""));
        session.await(1, "breaks");
        DevSession.save(source, right + "// the same id and version");
        session.await(3, "built in");
        DevSession.save(source, right.replace("ROOT = 0", "ROOT = Integer.parseInt(\"0\")"));
        session.await(2, "installed in");
        // Not after the finding, and not again after the save that changed no byte of the jar.
        assertThat(session.out().split("built in", -1)[3]).doesNotContain("installed in");
        assertThat(session.out().split("built in", -1)).hasSize(5);
        host.await(1, "org.example.gate 1.0.0 (gate-1.0.0.jar) serves instead of 1.0.0");
        assertThat(session.err()).isEmpty();
      } finally {
        DevSession.call("serve", "--stop", "--plugins", plugins);
      }
    }
  }

  @Test
  void aRoundThatIsNoLongerWantedEndsEarlyAndRemembersNothing() throws Exception {
    Path project = DevSession.makeProject(directory);
    StringWriter out = new StringWriter();
    Clock clock = Clock.system();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(out), false, false);
    try (DevRounds rounds = new DevRounds(terminal, clock, null)) {
      SourceWatcher.Save save =
          new SourceWatcher.Save(ProjectFiles.read(project), clock.nanoTime(), true);
      AtomicInteger questions = new AtomicInteger();
      assertThat(rounds.run(save, () -> questions.incrementAndGet() > 20)).isNotZero();
      assertThat(out.toString()).isEmpty();
      assertThat(questions.get()).isGreaterThan(20);

      assertThat(rounds.run(save, () -> false)).isZero();
      assertThat(out.toString()).contains("barrier/gate: correct in 56 cases");
    }
  }

  @Test
  void whatIsNoProjectIsRefused() throws IOException {
    Path project = DevSession.makeProject(directory);
    Path manifest = project.resolve("src/main/resources/META-INF/tutti/plugin.json");
    Path pom = project.resolve("pom.xml");

    assertRefused(
        2,
        directory.resolve("gone"),
        "[TUTTI-101] " + directory.resolve("gone") + " does not exist; ");
    assertRefused(2, pom, "[TUTTI-101] " + pom + " is not a directory; ");
    assertRefused(
        2,
        directory,
        "[TUTTI-101] there is no Java source in " + directory.resolve("src/main/java") + "; ");
    assertRefused(
        3,
        project,
        "[TUTTI-401] --plugins must be the plugins directory of a host, but " + pom + " is no",
        "--plugins",
        pom.toString());
    assertRefused(
        3,
        project,
        "[TUTTI-401] --plugins must be the plugins directory of a host, but "
            + directory.resolve("gone")
            + " does not exist; ",
        "--plugins",
        directory.resolve("gone").toString());
    Files.delete(manifest);
    assertRefused(
        2, project, "[TUTTI-101] " + manifest + ", the file that names the plugin, is missing; ");
    Files.createFile(manifest);
    Files.writeString(pom, "<project>\n<version>");
    assertRefused(
        2, project, "[TUTTI-101] " + pom + " cannot be read as a Maven project (line 2: ");
  }

  private static void assertRefused(int exitCode, Path project, String start, String... more) {
    Outcome outcome = once(project, more);
    assertThat(outcome.err()).startsWith("tutti: " + start);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }
}
