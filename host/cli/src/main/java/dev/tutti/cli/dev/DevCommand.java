package dev.tutti.cli.dev;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.terminal.EndOfProcess;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Builds and verifies the project of a plugin at every save. */
@Command(
    name = "dev",
    description = {
      "Builds the project of a plugin each time you save, and verifies the algorithms that"
          + " changed.",
      "",
      "The compiler runs in this process and needs no Maven, except to find the class path of a"
          + " project that depends on more than tutti-sdk-api. An algorithm has changed if its"
          + " class or a class that it uses has changed. The command checks it with the rules and"
          + " cases of 'tutti verify'. If you save while a round runs, a new round begins."
          + " target/tutti-dev has the last build. With --plugins, the command installs a jar"
          + " whose algorithms are all correct, as 'tutti plugins install' does. A host that"
          + " serves this directory then serves the new jar."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tutti dev", "  tutti dev my-ring --plugins plugins", "  tutti dev my-ring --once"})
public final class DevCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final BiFunction<Terminal, List<String>, Integer> commands;
  private final Clock clock = Clock.system();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "<project>",
      description = "The directory of the project. Default: the current directory.")
  private Path project;

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description = "Installs jars whose algorithms are correct in this plugins directory.")
  private @Nullable Path plugins;

  @Option(
      names = "--once",
      description =
          "Ends after one round, with the exit code of 'tutti verify', or 4 if the sources do not"
              + " compile.")
  private boolean isOnce;

  /**
   * The command.
   *
   * @param directory the directory of the project if no option names one
   * @param commands runs another command, and returns its exit code
   */
  public DevCommand(
      Terminal terminal, Path directory, BiFunction<Terminal, List<String>, Integer> commands) {
    this.terminal = terminal;
    this.project = directory;
    this.commands = commands;
  }

  @Override
  public Integer call() {
    ProjectFiles files = ProjectFiles.read(project);
    files.requirePlugin();
    PluginBuild.requireCompiler();
    ProjectPom _ = ProjectPom.read(files.pom());
    Path place = plugins;
    if (place != null && !Files.isDirectory(place)) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          "--plugins must be the plugins directory of a host, but %s %s; make it, or name another"
              + " one",
          place,
          Files.exists(place) ? "is not a directory" : "does not exist");
    }
    PluginInstaller installer = place == null ? null : new PluginInstaller(place, commands::apply);
    return isOnce ? runOnce(files, installer) : watch(installer);
  }

  private int runOnce(ProjectFiles files, @Nullable PluginInstaller installer) {
    AtomicBoolean isStopped = new AtomicBoolean();
    try (EndOfProcess end = new EndOfProcess(() -> isStopped.set(true));
        DevRounds rounds = new DevRounds(terminal, clock, installer)) {
      int exitCode =
          rounds.run(new SourceWatcher.Save(files, clock.nanoTime(), false), isStopped::get);
      if (exitCode == ExitCode.OK) {
        end.succeeded();
      }
      return exitCode;
    }
  }

  private int watch(@Nullable PluginInstaller installer) {
    try (SourceWatcher watcher = SourceWatcher.open(project, clock);
        EndOfProcess end = new EndOfProcess(watcher::stop)) {
      terminal
          .out()
          .println("watching " + project.toAbsolutePath().normalize() + "; stop it with Ctrl-C");
      terminal.out().flush();
      try (DevRounds rounds = new DevRounds(terminal, clock, installer)) {
        SourceWatcher.Save save = watcher.latest();
        while (save != null) {
          run(rounds, save, watcher);
          save = watcher.awaitNext(save);
        }
      }
      end.succeeded();
      return ExitCode.OK;
    }
  }

  private void run(DevRounds rounds, SourceWatcher.Save save, SourceWatcher watcher) {
    try {
      int _ = rounds.run(save, () -> watcher.isOutdated(save));
    } catch (TuttiException e) {
      if (!watcher.isOutdated(save)) {
        // The next save may fix it.
        terminal.err().println("tutti: " + e.getLocalizedMessage());
      }
    }
  }
}
