package dev.tutti.cli.terminal;

import dev.tutti.base.text.Sentence;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Prints lines on its own thread. A caller never waits for a reader: lines wait in a queue, and
 * when the queue is full, new lines are only counted. Thread-safe.
 */
public final class LinePrinter implements AutoCloseable {

  private static final int MOST_WAITING = 1024;
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition hasChanged = lock.newCondition();
  private final Deque<String> waiting = new ArrayDeque<>();
  private long lost;
  private boolean isPrinting;
  private boolean isClosed;

  /** Starts the thread. */
  public LinePrinter(PrintWriter out) {
    this.out = out;
    Thread.ofPlatform().daemon().name("tutti-output").start(this::work);
  }

  /** Queues a line for printing. */
  public void println(String line) {
    lock.lock();
    try {
      if (lost > 0 || waiting.size() == MOST_WAITING) {
        lost++;
      } else {
        waiting.addLast(line);
      }
      hasChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    for (String line = next(); line != null; line = next()) {
      out.println(line);
      out.flush();
    }
  }

  /** The next line; null at the end. */
  private @Nullable String next() {
    lock.lock();
    try {
      isPrinting = false;
      hasChanged.signalAll();
      while (waiting.isEmpty() && lost == 0 && !isClosed) {
        hasChanged.awaitUninterruptibly();
      }
      isPrinting = true;
      if (!waiting.isEmpty()) {
        return waiting.removeFirst();
      }
      if (lost > 0) {
        String line =
            Sentence.of("%s were not printed, because nobody read them", Text.count(lost, "line"));
        lost = 0;
        return line;
      }
      isPrinting = false;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a limited time until all lines are printed; false if they are not. */
  public boolean finish() {
    lock.lock();
    try {
      long left = PATIENCE_NANOS;
      while (left > 0 && !isIdle()) {
        left = hasChanged.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return isIdle();
  }

  private boolean isIdle() {
    lock.lock();
    try {
      return !isPrinting && waiting.isEmpty() && lost == 0;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread after it has printed all waiting lines. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      hasChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
