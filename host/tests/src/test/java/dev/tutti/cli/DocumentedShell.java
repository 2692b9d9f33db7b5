package dev.tutti.cli;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.plugin.SpiVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of a page in a directory, which the page calls {@code /srv}. {@code tutti
 * serve} goes on in the background until it is stopped.
 */
final class DocumentedShell implements AutoCloseable {

  /** Commands that change nothing, so they may be repeated until they show the expected output. */
  private static final List<String> QUERIES =
      List.of("status", "plugins list", "plugins why", "algorithms");

  /** The beginning of the host's lines. */
  private static final String TIME = "00:00:00";

  private final Path directory;
  private final Hosts hosts;
  private int exitCode;
  private StringWriter hostOut = new StringWriter();
  private @Nullable FutureTask<Integer> host;

  /** The number of the host's lines that were shown, without those about collected plugins. */
  private int shown;

  /** The lines of the collector that were shown. */
  private final List<String> shownEnds = new ArrayList<>();

  DocumentedShell(Path directory) {
    this.directory = directory;
    hosts = new Hosts(List.of(), Context::builder);
  }

  /** Runs a command and returns it with its output. */
  Transcript.Command run(Transcript.Command asked) throws Exception {
    String[] words = asked.command().split(" +");
    List<String> output =
        switch (words[0]) {
          case "tutti" -> tutti(asked, Arrays.copyOfRange(words, 1, words.length));
          case "cp" -> copy(words[1], words[2]);
          case "echo" -> List.of(Integer.toString(exitCode));
          default -> throw new IllegalArgumentException("no such command: " + asked.command());
        };
    return new Transcript.Command(asked.command(), output);
  }

  private List<String> copy(String from, String to) throws IOException {
    Files.copy(directory.resolve(from), directory.resolve(to).resolve(from));
    return List.of();
  }

  private List<String> tutti(Transcript.Command asked, String[] arguments) throws Exception {
    String line = asked.command().substring("tutti ".length());
    if (line.startsWith("serve")) {
      return line.contains("--stop") ? stop(arguments) : serve(arguments);
    }
    if (QUERIES.stream().anyMatch(line::startsWith)) {
      return awaited(asked, () -> new Transcript.Command(asked.command(), call(arguments)))
          .output();
    }
    List<String> output = call(arguments);
    awaitDrains();
    return output;
  }

  private List<String> serve(String[] arguments) {
    hostOut = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(hostOut, true), new PrintWriter(hostOut, true), false, false);
    FutureTask<Integer> started =
        new FutureTask<>(() -> new Cli(terminal, hosts, directory).run(arguments));
    host = started;
    Thread.ofPlatform().daemon().start(started);
    Await.until(
        () ->
            started.isDone() || hostLines().stream().anyMatch(line -> line.startsWith("serving ")));
    List<String> output = hostLines();
    shown = output.size();
    return output;
  }

  /**
   * A client of another process waits for the end of the host's process and says so; here the two
   * are one process, and the host itself has said it.
   */
  private List<String> stop(String[] arguments) throws Exception {
    List<String> output = new ArrayList<>(call(arguments));
    if (host != null) {
      host.get();
      output.add(hostLines().getLast());
    }
    return output;
  }

  private List<String> call(String[] arguments) {
    StringWriter text = new StringWriter();
    PrintWriter printer = new PrintWriter(text);
    exitCode =
        new Cli(new Terminal(printer, printer, false, false), hosts, directory).run(arguments);
    return lines(text);
  }

  /** Waits until the host has reported the ends of the versions that a command has replaced. */
  private void awaitDrains() {
    if (host != null && !host.isDone()) {
      int code = exitCode;
      String[] list = {"plugins", "list", "--json", "--plugins", "plugins"};
      Await.until(() -> !call(list).toString().contains("\"draining\""));
      exitCode = code;
    }
  }

  /** Waits for lines of the host that were not shown yet. */
  Transcript.HostOutput awaitHost(Transcript.HostOutput asked) {
    int wanted =
        (int) asked.lines().stream().filter(line -> !Transcript.isOfCollector(line)).count();
    Transcript.HostOutput next =
        awaited(asked, () -> new Transcript.HostOutput(next(asked.lines(), wanted)));
    shown += wanted;
    next.lines().stream().filter(Transcript::isOfCollector).forEach(shownEnds::add);
    return next;
  }

  /** The next lines of the host, with those of the collector where the page shows them. */
  private List<String> next(List<String> asked, int wanted) {
    List<String> all = hostLines();
    List<String> mine = all.stream().filter(line -> !Transcript.isOfCollector(line)).toList();
    List<String> ends = new ArrayList<>(all.stream().filter(Transcript::isOfCollector).toList());
    shownEnds.forEach(ends::remove);
    List<String> next = new ArrayList<>();
    int from = shown;
    for (String line : asked) {
      if (Transcript.isOfCollector(line)) {
        String what = line.substring(TIME.length());
        ends.stream().filter(said -> said.endsWith(what)).findFirst().ifPresent(next::add);
      } else if (from < Math.min(shown + wanted, mine.size())) {
        next.add(mine.get(from++));
      }
    }
    return next;
  }

  /** Repeats until the expected part is found, or for a while. */
  private static <P extends Transcript.Part> P awaited(P asked, Supplier<P> found) {
    AtomicReference<P> part = new AtomicReference<>(found.get());
    Await.comes(
        () -> {
          boolean isThere = part.get().stable().equals(asked.stable());
          if (!isThere) {
            System.gc();
            part.set(found.get());
          }
          return isThere;
        });
    return part.get();
  }

  private List<String> hostLines() {
    return lines(hostOut);
  }

  /**
   * The whole lines of a text, as the page has them. Outside a module the host does not know its
   * version.
   */
  private List<String> lines(StringWriter text) {
    String all = text.toString();
    return all.substring(0, all.lastIndexOf('\n') + 1)
        .replace(directory.toString(), "/srv")
        .replace("tutti unknown (", "tutti " + SpiVersion.CURRENT + " (")
        .lines()
        .map(String::stripTrailing)
        .toList();
  }

  /** Ends the host if the page has not. */
  @Override
  public void close() {
    if (host != null && !host.isDone()) {
      call(new String[] {"serve", "--stop", "--plugins", "plugins"});
    }
    try {
      if (host != null) {
        host.get();
      }
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException("the host did not end well", e));
    }
  }
}
