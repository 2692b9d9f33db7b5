package dev.tutti.cli.terminal;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One line about long work, rewritten in place. It prints nothing unless a user watches. Not
 * thread-safe, but any thread may close it.
 */
public final class ProgressLine implements AutoCloseable {

  private static final int BAR = 24;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Before this time has passed, an estimate of the remaining time would be a guess. */
  private static final long FIRST_ESTIMATE = 2 * SECOND;

  private static final long PAUSE = SECOND / 10;

  private final Terminal terminal;
  private volatile boolean isShown;
  private final Clock clock;

  /** The current work: its size, how much of it is done, and its start. */
  private int all;

  private int lastDone;
  private long startNanos;
  private long shownNanos;

  /**
   * A line.
   *
   * @param isWanted whether it may be shown at all
   */
  public ProgressLine(Terminal terminal, boolean isWanted) {
    this(terminal, isWanted, Clock.system());
  }

  /** A line with another clock. */
  public ProgressLine(Terminal terminal, boolean isWanted, Clock clock) {
    this.terminal = terminal;
    this.isShown = isWanted && terminal.showsProgress();
    this.clock = clock;
    this.shownNanos = clock.nanoTime() - PAUSE;
  }

  /** Shows the current work. */
  public void show(String text) {
    shownNanos = clock.nanoTime();
    print(terminal.order(Terminal.ERASE_LINE) + text);
  }

  /**
   * Shows a bar, the share that is done, the rate, the remaining time at that rate, and the current
   * work.
   *
   * @param done how much is done, 0 to {@code all}
   */
  public void show(int done, int all, String text) {
    long now = clock.nanoTime();
    if (all != this.all || done < lastDone) {
      startNanos = now;
    }
    this.all = all;
    lastDone = done;
    int filled = (int) ((long) BAR * done / all);
    String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
    show(Sentence.of("[%s] %d of %d%s: %s", bar, done, all, pace(done, now - startNanos), text));
  }

  private String pace(int done, long nanos) {
    if (done == 0 || nanos < FIRST_ESTIMATE) {
      return "";
    }
    double perSecond = (double) done * SECOND / nanos;
    String rate = perSecond >= 1 ? Sentence.of("%s a second, ", Text.number(perSecond)) : "";
    Duration left = Duration.ofSeconds(Math.round((all - done) / perSecond));
    return Sentence.of(" (%s%s left)", rate, Text.time(left));
  }

  /** Whether the line is shown, and has not changed for long enough to be read. */
  public boolean isDue() {
    return isShown && clock.nanoTime() - shownNanos >= PAUSE;
  }

  /** Clears the line, before a line of results. */
  public void clear() {
    print(terminal.order(Terminal.ERASE_LINE));
  }

  private void print(String text) {
    if (isShown) {
      terminal.err().print(text);
      terminal.err().flush();
    }
  }

  /** Clears the line, and shows no other one. */
  @Override
  public void close() {
    clear();
    isShown = false;
  }
}
