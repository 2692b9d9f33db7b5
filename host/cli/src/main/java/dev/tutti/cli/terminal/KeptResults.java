package dev.tutti.cli.terminal;

import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Results that a command gets one after another and reports when it has all of them. If a signal
 * ends the process earlier (SIGINT, SIGTERM), or if the command fails, it reports the results that
 * it has.
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
   * Starts without results.
   *
   * @param work the work that produced the results, for messages: {@code "measured"}
   * @param files the files that {@code report} writes, for messages
   * @param report reports all results that were added; called at most once, by any thread, and
   *     never while a result is added
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

  /** Reports the results when a signal ends the process. */
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
      report.run();
      String place =
          files.isEmpty()
              ? "above"
              : "in " + files.stream().map(Path::toString).collect(Collectors.joining(", "));
      terminal.err().println("tutti: what was " + work + " before the " + event + " is " + place);
    }
    isOver = true;
  }

  /** Reports the results of a command that has failed. */
  @Override
  public void close() {
    hook.close();
    synchronized (this) {
      keep("failure");
    }
  }
}
