package dev.tutti.cli.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Cli;
import dev.tutti.cli.host.HostSearch;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveContext;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.serve.CrashSite;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.plugin.live.PullJar;
import dev.tutti.plugin.store.StateDirectory;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands while a host starts: a command that reads keeps no host out, and a host waits for one
 * that makes changes.
 */
@Timeout(600)
class StateCopyTest {

  @TempDir private Path directory;
  private PluginPlaces places;

  private final Hosts hosts = new Hosts(List.of(), Context::builder);

  @BeforeEach
  void installOne() throws IOException {
    places =
        new PluginPlaces(
            Files.createDirectory(directory.resolve("plugins")),
            directory.resolve("plugins.state"));
    PullJar.of("org.example.pull", "1.0").write(places.plugins().resolve("pull.jar"));
    PluginUse.open(hosts, places).close();
  }

  @Test
  void whoLooksKeepsNoHostFromStarting() throws IOException {
    List<String> before = CrashSite.names(places.state());
    try (PluginUse looking = StateCopy.open(hosts, places);
        StateDirectory host = StateDirectory.open(places.state())) {
      assertThat(host.path()).isEqualTo(places.state().toRealPath());
      assertThat(looking.plugins().list())
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.version()).isEqualTo("1.0");
                assertThat(each.file()).isEqualTo(places.plugins().resolve("pull.jar"));
              });
      assertThat(looking.plugins().why("org.example.pull")).contains("1.0 was admitted");
      assertThat(looking.plugins().state()).isNotEqualTo(places.state()).exists();
    }
    assertThat(CrashSite.names(places.state())).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void theCopyGoesWithTheCommand() {
    Path state;
    try (PluginUse looking = StateCopy.open(hosts, places)) {
      state = looking.plugins().state();
    }
    assertThat(state.getParent()).doesNotExist();
  }

  @Test
  void whoLooksLeavesWhatAnotherProcessWrites() throws IOException {
    PluginPlaces empty =
        new PluginPlaces(places.plugins(), directory.resolve("no").resolve("state"));
    try (PluginUse looking = StateCopy.open(hosts, empty)) {
      assertThat(looking.plugins().list()).hasSize(1);
    }
    assertThat(empty.state()).doesNotExist();
  }

  @Test
  void aHostWaitsForACommandThatHasTheDirectory() {
    AtomicInteger attempts = new AtomicInteger();
    StateDirectory command = StateDirectory.open(places.state());
    StateDirectory host =
        new HostSearch()
            .untilFree(
                places.state(),
                () -> {
                  if (attempts.incrementAndGet() == 3) {
                    command.close();
                  }
                  return StateDirectory.open(places.state());
                });
    host.close();
    assertThat(attempts.get()).isEqualTo(3);
  }

  @Test
  void aCommandLooksAgainForAHostThatHasJustStarted() {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Hosts racing =
        new Hosts(
            List.of(),
            Context::builder,
            (builder, chosen, trust, news) -> {
              if (isFirst.getAndSet(false)) {
                // A host that is there for a moment, just when the command opens the directory.
                try (StateDirectory _ = StateDirectory.open(chosen.state())) {
                  return LiveContext.open(builder, chosen, trust, news);
                }
              }
              return LiveContext.open(builder, chosen, trust, news);
            });
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    int exitCode =
        new Cli(new Terminal(printer, printer, false, false), racing)
            .run("plugins", "rescan", "--plugins", places.plugins().toString());
    assertThat(out.toString()).contains("nothing has changed");
    assertThat(exitCode).isZero();
  }

  @Test
  void aRefusedPluginLeavesNothingWhereThereWasNothing() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path bad = Files.writeString(directory.resolve("bad.jar"), "this is no jar");

    assertThat(install(bad, empty)).isEqualTo(3);
    assertThat(install(bad, directory.resolve("missing"))).isEqualTo(3);
    assertThat(CrashSite.names(directory))
        .noneMatch(name -> name.startsWith("empty.state") || name.startsWith("missing"));

    // The state of another host stays as it is.
    List<String> before = CrashSite.names(places.state());
    assertThat(install(bad, places.plugins())).isEqualTo(3);
    assertThat(CrashSite.names(places.state())).containsExactlyInAnyOrderElementsOf(before);

    Path good = PullJar.of("org.example.pull", "1.0").write(directory.resolve("good.jar"));
    assertThat(install(good, empty)).isZero();
    assertThat(directory.resolve("empty.state")).isDirectory();
  }

  private int install(Path jar, Path plugins) {
    PrintWriter printer = new PrintWriter(new StringWriter());
    return new Cli(new Terminal(printer, printer, false, false), hosts)
        .run("plugins", "install", jar.toString(), "--plugins", plugins.toString());
  }

  @Test
  void anotherProblemIsNotWaitedFor() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    AtomicInteger attempts = new AtomicInteger();
    try {
      new HostSearch()
          .untilFree(
              file,
              () -> {
                attempts.incrementAndGet();
                return StateDirectory.open(file);
              });
    } catch (TuttiException e) {
      assertThat(e).hasMessageContaining("cannot be used");
    }
    assertThat(attempts.get()).isEqualTo(1);
  }
}
