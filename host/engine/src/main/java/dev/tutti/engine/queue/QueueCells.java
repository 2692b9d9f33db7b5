package dev.tutti.engine.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Words of queues in cache lines of their own: what one queue's thread writes often shares no line
 * with what another one's writes.
 */
final class QueueCells {

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs from one line to the next: two cache lines, for the adjacent-line prefetcher. */
  private static final int STRIDE = 16;

  private final long[] words;

  /** Lines of zeros. */
  QueueCells(int lines) {
    // The first line keeps the array's header away.
    this.words = new long[(lines + 2) * STRIDE];
  }

  private static int at(int line, int word) {
    return (line + 1) * STRIDE + word;
  }

  /** Reads what only the thread that holds the line writes. */
  long get(int line, int word) {
    return words[at(line, word)];
  }

  void set(int line, int word, long value) {
    words[at(line, word)] = value;
  }

  long getOpaque(int line, int word) {
    return (long) CELL.getOpaque(words, at(line, word));
  }

  void setOpaque(int line, int word, long value) {
    CELL.setOpaque(words, at(line, word), value);
  }

  long getAcquire(int line, int word) {
    return (long) CELL.getAcquire(words, at(line, word));
  }

  void setRelease(int line, int word, long value) {
    CELL.setRelease(words, at(line, word), value);
  }

  boolean compareAndSet(int line, int word, long expected, long value) {
    return CELL.compareAndSet(words, at(line, word), expected, value);
  }
}
