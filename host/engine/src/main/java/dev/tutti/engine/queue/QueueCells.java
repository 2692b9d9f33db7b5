package dev.tutti.engine.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Words of queues in separate cache lines, so that the frequent writes of different queues' threads
 * do not share lines. They are on the heap, or in native memory that several processes may share.
 */
abstract sealed class QueueCells {

  /** The longs from line to line: two cache lines, because of the adjacent-line prefetcher. */
  private static final int STRIDE = 16;

  /** The bytes of a line in native memory. */
  static final long LINE = STRIDE * Long.BYTES;

  private QueueCells() {}

  /** Lines of zeros on the heap. */
  static QueueCells ofHeap(int lines) {
    return new OfHeap(lines);
  }

  /**
   * Lines of zeros that each begin with a cache line, which the heap cannot promise. What peers
   * poll is then in one cache line.
   */
  static QueueCells aligned(int lines) {
    return in(Arena.ofAuto().allocate(lines * LINE, LINE));
  }

  /**
   * Lines in native memory, with its current contents.
   *
   * @param memory {@link #LINE} bytes for each
   */
  static QueueCells in(MemorySegment memory) {
    return new Native(memory);
  }

  /** Reads a word that only the thread that holds the line writes. */
  abstract long get(int line, int word);

  abstract void set(int line, int word, long value);

  abstract long getOpaque(int line, int word);

  abstract void setOpaque(int line, int word, long value);

  abstract long getAcquire(int line, int word);

  abstract void setRelease(int line, int word, long value);

  abstract boolean compareAndSet(int line, int word, long expected, long value);

  private static final class OfHeap extends QueueCells {

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] words;

    OfHeap(int lines) {
      // The first line keeps the words away from the array's header.
      this.words = new long[(lines + 2) * STRIDE];
    }

    private static int at(int line, int word) {
      return (line + 1) * STRIDE + word;
    }

    @Override
    long get(int line, int word) {
      return words[at(line, word)];
    }

    @Override
    void set(int line, int word, long value) {
      words[at(line, word)] = value;
    }

    @Override
    long getOpaque(int line, int word) {
      return (long) CELL.getOpaque(words, at(line, word));
    }

    @Override
    void setOpaque(int line, int word, long value) {
      CELL.setOpaque(words, at(line, word), value);
    }

    @Override
    long getAcquire(int line, int word) {
      return (long) CELL.getAcquire(words, at(line, word));
    }

    @Override
    void setRelease(int line, int word, long value) {
      CELL.setRelease(words, at(line, word), value);
    }

    @Override
    boolean compareAndSet(int line, int word, long expected, long value) {
      return CELL.compareAndSet(words, at(line, word), expected, value);
    }
  }

  private static final class Native extends QueueCells {

    private static final VarHandle CELL = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;

    Native(MemorySegment memory) {
      this.memory = memory;
    }

    private static long at(int line, int word) {
      return line * LINE + word * (long) Long.BYTES;
    }

    @Override
    long get(int line, int word) {
      return memory.get(ValueLayout.JAVA_LONG, at(line, word));
    }

    @Override
    void set(int line, int word, long value) {
      memory.set(ValueLayout.JAVA_LONG, at(line, word), value);
    }

    @Override
    long getOpaque(int line, int word) {
      return (long) CELL.getOpaque(memory, at(line, word));
    }

    @Override
    void setOpaque(int line, int word, long value) {
      CELL.setOpaque(memory, at(line, word), value);
    }

    @Override
    long getAcquire(int line, int word) {
      return (long) CELL.getAcquire(memory, at(line, word));
    }

    @Override
    void setRelease(int line, int word, long value) {
      CELL.setRelease(memory, at(line, word), value);
    }

    @Override
    boolean compareAndSet(int line, int word, long expected, long value) {
      return CELL.compareAndSet(memory, at(line, word), expected, value);
    }
  }
}
