package dev.tutti.cli.dev;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmCatalogue;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.host.HostNews;
import dev.tutti.cli.host.TemporaryDirectory;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.verify.JarVerification;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds, verifies and installs a project, in one round for each save. The last jar also stays in
 * the project, in {@code target/tutti-dev}, so that the commands in findings work. Not thread-safe.
 */
final class DevRounds implements AutoCloseable {

  private static final Path LAST_BUILD = Path.of("target", "tutti-dev");

  /** The processes of the verification may still read the jar of the round before. */
  private static final int KEPT_ROUNDS = 3;

  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Terminal terminal;
  private final Clock clock;
  private final @Nullable PluginInstaller installer;
  private final JarVerification verification;
  private final ChangedAlgorithms algorithms = new ChangedAlgorithms();
  private final Deque<TemporaryDirectory> directories = new ArrayDeque<>();

  private @Nullable String pomContent;
  private ProjectPom pom = new ProjectPom(Map.of(), false, false);
  private List<Path> libraries = List.of();

  /**
   * Creates the state before the first round.
   *
   * @param installer installs correct jars; null to install none
   */
  DevRounds(Terminal terminal, Clock clock, @Nullable PluginInstaller installer) {
    this.terminal = terminal;
    this.clock = clock;
    this.installer = installer;
    this.verification = new JarVerification(terminal);
  }

  /**
   * Builds and verifies, and installs if everything is correct.
   *
   * @param isStopped whether the round is no longer needed; if so, it ends early and prints nothing
   * @return the exit code of a command that ends with this round
   * @throws TuttiException if the files are not a plugin's project, or the environment fails
   */
  int run(SourceWatcher.Save save, BooleanSupplier isStopped) {
    ProjectFiles files = save.files();
    files.requirePlugin();
    Path directory = directory();
    readPom(files, directory, isStopped);
    if (isStopped.getAsBoolean()) {
      return ExitCode.FAILED;
    }
    long start = clock.nanoTime();
    PluginBuild build = new PluginBuild(files, pom, libraries);
    PluginBuild.Result result = build.run(classes(directory));
    String time = Sentence.of("built in %.1f s", (clock.nanoTime() - start) / NANOS);
    if (isStopped.getAsBoolean()) {
      return ExitCode.FAILED;
    }
    result.messages().lines().forEach(terminal.out()::println);
    if (!result.isBuilt()) {
      if (!build.advice().isEmpty()) {
        terminal.out().println(build.advice());
      }
      tell(false, "not built: " + result.messages().summary(), save);
      return ExitCode.NOT_COMPILED;
    }
    String warnings = result.messages().summary();
    return verify(
        result, directory, warnings.isEmpty() ? time : time + " with " + warnings, save, isStopped);
  }

  /** A new directory for a round. */
  private Path directory() {
    if (directories.size() == KEPT_ROUNDS) {
      directories.removeFirst().close();
    }
    directories.addLast(TemporaryDirectory.make());
    return directories.getLast().path();
  }

  private static Path classes(Path directory) {
    try {
      return Files.createDirectory(directory.resolve("classes"));
    } catch (IOException e) {
      throw TemporaryDirectory.unwritable(e);
    }
  }

  private void readPom(ProjectFiles files, Path directory, BooleanSupplier isStopped) {
    if (files.pomContent().equals(pomContent)) {
      return;
    }
    ProjectPom read = ProjectPom.read(files.pom());
    List<Path> asked = List.of();
    if (read.needsMaven()) {
      try (ProgressLine progress = new ProgressLine(terminal, true)) {
        progress.show("asking Maven for the class path");
        asked = MavenClassPath.ask(files.root(), directory, isStopped);
      }
    }
    if (!isStopped.getAsBoolean()) {
      pom = read;
      libraries = asked;
      pomContent = files.pomContent();
    }
  }

  private int verify(
      PluginBuild.Result result,
      Path directory,
      String built,
      SourceWatcher.Save save,
      BooleanSupplier isStopped) {
    String name = pom.jarName(save.files().root());
    Path jar = directory.resolve(name);
    Path lastBuild = save.files().root().resolve(LAST_BUILD).resolve(name);
    result.write(jar);
    result.write(lastBuild);
    JarVerification.Verdict verdict;
    int unchanged;
    try (AlgorithmCatalogue catalogue = verification.load(jar)) {
      if (catalogue.plugins().problems().isEmpty()) {
        catalogue.requireAlgorithms(List.of(lastBuild));
      }
      List<AlgorithmWithPeer> all =
          AlgorithmWithPeer.of(catalogue.algorithms(), catalogue.plugins());
      List<AlgorithmWithPeer> changed = algorithms.changed(all, result.classes());
      unchanged = all.size() - changed.size();
      verdict = verification.verify(catalogue, changed, lastBuild, isStopped);
      if (isStopped.getAsBoolean()) {
        return ExitCode.FAILED;
      }
      catalogue.printProblems(terminal);
      algorithms.remember(changed, verdict.clean(), result.classes());
    }
    tell(verdict.exitCode() == ExitCode.OK, built + "; " + words(verdict, unchanged), save);
    return verdict.exitCode() == ExitCode.OK ? install(jar, save) : verdict.exitCode();
  }

  private static String words(JarVerification.Verdict verdict, int unchanged) {
    List<String> words = new ArrayList<>(verdict.sentences());
    if (verdict.problems() > 0) {
      words.add(Text.count(verdict.problems(), "plugin problem"));
    }
    if (words.isEmpty()) {
      words.add("no algorithm has changed");
    } else if (unchanged > 0) {
      words.add(Sentence.of("%s unchanged", Text.count(unchanged, "algorithm")));
    }
    return String.join("; ", words);
  }

  private int install(Path jar, SourceWatcher.Save save) {
    if (installer == null || installer.isInstalled(jar)) {
      return ExitCode.OK;
    }
    PluginInstaller.Outcome outcome = installer.install(jar);
    outcome.problems().forEach(terminal.err()::println);
    tell(outcome.exitCode() == ExitCode.OK, outcome.sentence(), save);
    return outcome.exitCode();
  }

  /** Prints the line of a round. */
  private void tell(boolean isGood, String text, SourceWatcher.Save save) {
    String sentence =
        Sentence.of(
            "%s (%.1f s after the %s)",
            text, (clock.nanoTime() - save.nanos()) / NANOS, save.isSave() ? "save" : "start");
    String line = new HostNews.Item(InstantSource.system().instant(), sentence).toString();
    terminal.out().println(isGood ? terminal.green(line) : terminal.red(line));
    terminal.out().flush();
  }

  /** Ends the processes of the verification, and deletes all temporary directories. */
  @Override
  public void close() {
    verification.close();
    while (!directories.isEmpty()) {
      directories.removeFirst().close();
    }
  }
}
