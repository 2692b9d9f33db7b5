package dev.tutti.cli;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Calls the command line in this process, with algorithms of this process. */
public final class CommandLineHarness {

  private final Hosts hosts;

  /** Commands see the given algorithms, and the jars of a directory. */
  public CommandLineHarness(Path plugins, Supplier<ContextBuilder> builders) {
    hosts = new Hosts(List.of(plugins), builders);
  }

  /** Commands see all of {@link TestAlgorithms}. */
  public static CommandLineHarness withTestAlgorithms(Path emptyDirectory) {
    return new CommandLineHarness(emptyDirectory, () -> TestAlgorithms.addTo(Context.builder()));
  }

  /** The output and the exit code of a command. */
  public record Outcome(int exitCode, String out, String err) {
    public List<String> lines() {
      return out.lines().toList();
    }
  }

  public Outcome call(String... args) {
    return callIn(Path.of(""), args);
  }

  /** A call of a user in another directory. */
  public Outcome callIn(Path directory, String... args) {
    return callIn(directory, false, args);
  }

  /** A call of a user who watches the progress, which is in the errors. */
  public Outcome callWatched(String... args) {
    return callIn(Path.of(""), true, args);
  }

  private Outcome callIn(Path directory, boolean isWatched, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, isWatched);
    int exitCode = new Cli(terminal, hosts, directory).run(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }
}
