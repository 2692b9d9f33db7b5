package dev.tutti.cli.dev;

import dev.tutti.cli.Cli;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.FutureTask;

/** A command that goes on, on a thread of the test: {@code dev} of a project, or {@code serve}. */
final class DevSession implements AutoCloseable {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final FutureTask<Integer> task;
  private final Thread thread;

  private DevSession(String... arguments) {
    task = new FutureTask<>(() -> cli(out, err).run(arguments));
    thread = Thread.ofPlatform().daemon().start(task);
  }

  static DevSession start(String... arguments) {
    return new DevSession(arguments);
  }

  private static Cli cli(StringWriter out, StringWriter err) {
    Terminal terminal =
        new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
    return new Cli(terminal, new Hosts(List.of(), Context::builder), Path.of(""));
  }

  /** A command that ends by itself. */
  static Outcome call(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = cli(out, err).run(arguments);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** Makes the project of a barrier, whose standard cases are few. */
  static Path makeProject(Path directory) {
    StringWriter out = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(out), false, false);
    int exitCode =
        new Cli(terminal, new Hosts(List.of(), Context::builder), directory)
            .run("new", "barrier", "gate");
    if (exitCode != 0) {
      throw new AssertionError(out.toString());
    }
    return directory.resolve("gate");
  }

  /** The source of the barrier. */
  static Path source(Path project) {
    return project.resolve("src/main/java/org/example/gate/GateBarrier.java");
  }

  /** Saves as editors do that write another file first. */
  static void save(Path file, String text) throws IOException {
    Path other = Files.writeString(file.resolveSibling(file.getFileName() + "~"), text);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Waits until so many lines are there that contain something, and returns the last of them. */
  String await(int number, String part) {
    Await.until(() -> task.isDone() || lines(part).size() >= number);
    List<String> lines = lines(part);
    if (lines.size() < number) {
      throw new AssertionError("ended with " + this);
    }
    return lines.get(number - 1);
  }

  private List<String> lines(String part) {
    return out.toString().lines().filter(line -> line.contains(part)).toList();
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  /** Ends the command as Ctrl-C does, and returns its exit code. */
  int interrupt() throws Exception {
    thread.interrupt();
    return task.get();
  }

  @Override
  public String toString() {
    return out + "\n" + err;
  }

  @Override
  public void close() throws Exception {
    int _ = interrupt();
  }
}
