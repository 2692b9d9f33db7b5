package dev.tutti.cli.terminal;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.plan.work.Work;
import dev.tutti.plan.work.WorkListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One line about long work, rewritten in place. It prints nothing unless a user watches. Other text
 * replaces it. It also shows the {@link Work} of the thread that made it, once that takes longer
 * than a moment. Thread-safe.
 */
public final class ProgressLine implements AutoCloseable, WorkListener {

  private static final int BAR = 24;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Before this time has passed, an estimate of the remaining time would be a guess. */
  private static final long FIRST_ESTIMATE = 2 * SECOND;

  /** Work that takes less time is not shown. */
  private static final long MOMENT = SECOND / 2;

  private static final long PAUSE = SECOND / 10;

  private final Terminal terminal;
  private final Clock clock;
  private final @Nullable Work watched;
  private volatile boolean isShown;

  /** The time of the last change of the line. */
  private volatile long shownNanos;

  // ---- the current work, guarded by this

  private String text = "";

  /** The number of its parts; 0 if they are not counted. */
  private int all;

  private int done;
  private long startNanos;

  /** Whether work is in progress that tells its share, and when it began. */
  private boolean isTold;

  private long toldNanos;

  /** The largest share that was told of the work; work that is done again does not lower it. */
  private double toldShare;

  /**
   * A line.
   *
   * @param isWanted whether it may be shown at all
   */
  public ProgressLine(Terminal terminal, boolean isWanted) {
    this(terminal, isWanted, Clock.system());
  }

  /** A line with another clock. */
  @SuppressWarnings("this-escape") // Work of this thread can begin only after the constructor.
  public ProgressLine(Terminal terminal, boolean isWanted, Clock clock) {
    this.terminal = terminal;
    this.isShown = isWanted && terminal.showsProgress();
    this.clock = clock;
    this.shownNanos = clock.nanoTime() - PAUSE;
    this.watched = isShown ? Work.watch(this) : null;
  }

  /** Shows the current work. */
  public synchronized void show(String what) {
    all = 0;
    text = what;
    print(what);
  }

  /**
   * Shows a bar, the share that is done, the rate, the remaining time at that rate, and the current
   * work.
   *
   * @param newDone how much is done, 0 to {@code newAll}
   */
  public synchronized void show(int newDone, int newAll, String what) {
    long now = clock.nanoTime();
    if (newAll != all || newDone < done) {
      startNanos = now;
    }
    all = newAll;
    done = newDone;
    text = what;
    print(counted(0, now) + what);
  }

  /** A bar, how many parts are done, and the pace. */
  private String counted(double shareOfPart, long now) {
    double share = (done + shareOfPart) / all;
    double perSecond = done == 0 ? 0 : (double) done * SECOND / Math.max(1, now - startNanos);
    String rate = perSecond >= 1 ? Sentence.of("%s a second, ", Text.number(perSecond)) : "";
    return Sentence.of(
        "%s %d of %d%s: ", bar(share), done, all, pace(rate, share, now - startNanos));
  }

  private static String bar(double share) {
    int filled = (int) (BAR * share);
    return "[" + "#".repeat(filled) + ".".repeat(BAR - filled) + "]";
  }

  private static String pace(String rate, double share, long nanos) {
    if (share <= 0 || nanos < FIRST_ESTIMATE) {
      return "";
    }
    Duration left = Duration.ofSeconds(Math.round(nanos * (1 - share) / share / SECOND));
    return Sentence.of(" (%s%s left)", rate, Text.time(left));
  }

  /** Work of this thread has come that far. */
  @Override
  public synchronized void at(double share, String what) {
    long now = clock.nanoTime();
    if (!isTold) {
      isTold = true;
      toldNanos = now;
      toldShare = 0;
    }
    toldShare = Math.max(toldShare, share);
    if (now - toldNanos < MOMENT || !isDue()) {
      return;
    }
    if (all > 0) {
      print(counted(toldShare, now) + text + (what.isEmpty() ? "" : ", " + what));
    } else {
      String percent = (int) (100 * toldShare) + "%";
      String pace = pace("", toldShare, now - toldNanos);
      String also = text.isEmpty() || text.equals(what) ? "" : text + ", ";
      print(bar(toldShare) + " " + percent + pace + ": " + also + what);
    }
  }

  @Override
  public synchronized void ended() {
    isTold = false;
    if (isShown && text.isEmpty()) {
      terminal.eraseProgress();
    }
  }

  /** Whether the line is shown, and has not changed for long enough to be read. */
  public boolean isDue() {
    return isShown && clock.nanoTime() - shownNanos >= PAUSE;
  }

  private void print(String line) {
    if (isShown) {
      shownNanos = clock.nanoTime();
      terminal.showProgress(line);
    }
  }

  /** Erases the line, and shows no other one. */
  @Override
  public void close() {
    if (isShown) {
      isShown = false;
      terminal.eraseProgress();
    }
    if (watched != null) {
      watched.close();
    }
  }
}
