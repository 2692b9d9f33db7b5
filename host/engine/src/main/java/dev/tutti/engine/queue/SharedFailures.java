package dev.tutti.engine.queue;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Failures that the processes of a group's ranks exchange in shared memory. Every rank gets the
 * code and the text of the failure that was noted first; long texts are cut.
 */
final class SharedFailures extends FailedOperations {

  /*
   * A table of the latest failures, by the number of the operation. A thread that notes a failure
   * takes its slot with a compare-and-set from an older number to the negative number, writes code
   * and text, and releases the number. LAST is the greatest number with a failure, or the greatest
   * possible number once the group can run nothing any more. It only grows, so that a check between
   * tasks costs one load of a line that rarely changes. It is raised after the slot is written.
   */

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final ErrorCode[] CODES = ErrorCode.values();

  /**
   * The number of slots, more than the operations by which a rank can be ahead of another: those in
   * flight and those that failed.
   */
  private static final int SLOTS = 256;

  private static final long SLOT_BYTES = 512;
  private static final long HEAD_BYTES = QueueCells.LINE;
  private static final long LAST = 0;
  private static final long CODE = 8;
  private static final long LENGTH = 12;
  private static final long TEXT = 16;
  private static final int MAX_TEXT = (int) (SLOT_BYTES - TEXT);

  /** The slot of the failure that ends the use of the group; it is written once. */
  private static final long ALL = HEAD_BYTES + SLOTS * SLOT_BYTES;

  /** The bytes of shared memory. */
  static final long BYTES = ALL + SLOT_BYTES;

  private final MemorySegment memory;

  /** The failures that this process has noted first, with their causes. */
  private final TreeMap<Long, TuttiException> own = new TreeMap<>();

  private @Nullable TuttiException ofAll;

  /**
   * Makes failures in shared memory, which must be zero-filled at first.
   *
   * @param memory {@link #BYTES} bytes
   */
  SharedFailures(MemorySegment memory) {
    this.memory = memory;
  }

  private long last() {
    return (long) WORD.getAcquire(memory, LAST);
  }

  private static long slot(long number) {
    return HEAD_BYTES + number % SLOTS * SLOT_BYTES;
  }

  @Override
  boolean mayHold(long number) {
    return last() >= number;
  }

  @Override
  synchronized @Nullable TuttiException of(long number) {
    TuttiException known = own.get(number);
    if (known != null) {
      return known;
    }
    if ((long) WORD.getAcquire(memory, slot(number)) == number) {
      TuttiException read = read(slot(number));
      own.put(number, read);
      return read;
    }
    if (ofAll == null && (long) WORD.getAcquire(memory, ALL) > 0) {
      ofAll = read(ALL);
    }
    return ofAll;
  }

  private TuttiException read(long slot) {
    int code = memory.get(ValueLayout.JAVA_INT, slot + CODE);
    int length = memory.get(ValueLayout.JAVA_INT, slot + LENGTH);
    byte[] text = memory.asSlice(slot + TEXT, length).toArray(ValueLayout.JAVA_BYTE);
    return new TuttiException(CODES[code], "%s", new String(text, StandardCharsets.UTF_8));
  }

  @Override
  synchronized boolean add(long number, TuttiException failure) {
    if (last() == Long.MAX_VALUE || !write(slot(number), number, failure)) {
      return false;
    }
    own.put(number, failure);
    raise(number);
    return true;
  }

  @Override
  synchronized void addAll(TuttiException failure) {
    if (write(ALL, 1, failure)) {
      ofAll = failure;
    }
    raise(Long.MAX_VALUE);
  }

  /** Writes a failure with a number, unless there is one; returns whether it was written. */
  private boolean write(long slot, long number, TuttiException failure) {
    long before = (long) WORD.getAcquire(memory, slot);
    if (Math.abs(before) >= number || !WORD.compareAndSet(memory, slot, before, -number)) {
      return false;
    }
    ByteBuffer text = memory.asSlice(slot + TEXT, MAX_TEXT).asByteBuffer();
    // Stops before a character for which there is no space.
    StandardCharsets.UTF_8
        .newEncoder()
        .encode(CharBuffer.wrap(String.valueOf(failure.getMessage())), text, true);
    memory.set(ValueLayout.JAVA_INT, slot + CODE, failure.code().ordinal());
    memory.set(ValueLayout.JAVA_INT, slot + LENGTH, text.position());
    WORD.setRelease(memory, slot, number);
    return true;
  }

  private void raise(long number) {
    long before = last();
    while (before < number && !WORD.compareAndSet(memory, LAST, before, number)) {
      before = last();
    }
    VarHandle.fullFence();
  }

  @Override
  synchronized void forgetBefore(long number) {
    own.headMap(number).clear();
  }

  @Override
  boolean holds(long number) {
    return mayHold(number) && Math.abs((long) WORD.getAcquire(memory, slot(number))) == number;
  }

  @Override
  boolean areThereAny() {
    return last() > 0;
  }

  @Override
  int ahead(long leastEnded) {
    long last = last();
    return last == Long.MAX_VALUE ? 0 : (int) Math.max(0, last - leastEnded);
  }

  @Override
  int mostAhead() {
    return SLOTS / 2;
  }
}
