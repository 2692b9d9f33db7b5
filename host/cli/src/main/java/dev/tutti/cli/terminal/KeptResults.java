package dev.tutti.cli.terminal;

import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Results that a command gets one after another, and reports when it has all of them. If the
 * process is told to end before (SIGINT, SIGTERM), or if the command fails, it reports the results
 * that it has.
 */
public final class KeptResults implements AutoCloseable {

  private final Terminal terminal;
  private final String work;
  private final List<Path> files;
  private final Runnable report;
  private final OnInterrupt hook;
  private boolean hasResults;
  private boolean isOver;

  /**
   * No results yet.
   *
   * @param work what was done to get them: {@code "measured"}
   * @param files what {@code report} writes, to say where results are
   * @param report reports all results that were added; it is called once at most, by any thread,
   *     and never while a result is added
   */
  public KeptResults(Terminal terminal, String work, List<Path> files, Runnable report) {
    this.terminal = terminal;
    this.work = work;
    this.files = List.copyOf(files);
    this.report = report;
    this.hook = new OnInterrupt(this::interrupted);
  }

  /**
   * Adds a result, unless the process is ending.
   *
   * @param result puts the result where the report finds it
   */
  public synchronized void add(Runnable result) {
    if (!isOver) {
      result.run();
      hasResults = true;
    }
  }

  /** Reports all results. */
  public synchronized void complete() {
    if (!isOver) {
      isOver = true;
      report.run();
    }
  }

  /** The work of the hook when the process is told to end. */
  synchronized void interrupted() {
    try {
      keep("interruption");
    } catch (TuttiException e) {
      terminal.err().println("tutti: " + e.getMessage());
    }
    terminal.out().flush();
  }

  private void keep(String event) {
    if (!isOver && hasResults) {
      new ProgressLine(terminal, true).clear();
      report.run();
      String place =
          files.isEmpty()
              ? "above"
              : "in " + files.stream().map(Path::toString).collect(Collectors.joining(", "));
      terminal.err().println("tutti: what was " + work + " before the " + event + " is " + place);
    }
    isOver = true;
  }

  /** Keeps the results of a command that has failed. */
  @Override
  public void close() {
    hook.close();
    synchronized (this) {
      keep("failure");
    }
  }
}
