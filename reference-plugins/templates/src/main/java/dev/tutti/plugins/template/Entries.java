package dev.tutti.plugins.template;

import java.util.Arrays;

/**
 * What the streams of a {@link Timetable} do, in arrays: a schedule has hundreds of thousands of
 * entries. The senders of an entry, and what it waits for, are added before the entry itself.
 */
final class Entries {

  private int size;

  /** The stream of each entry. */
  private int[] rows = new int[16];

  private int[] receivers = new int[16];
  private long[] bytes = new long[16];
  private long[] combined = new long[16];

  /** Where the senders of each entry end, and what it waits for. */
  private int[] senderEnds = new int[16];

  private int[] afterEnds = new int[16];

  private int senderCount;
  private int[] senders = new int[16];
  private int afterCount;
  private int[] afters = new int[16];

  /** In the order in which their messages come. */
  void addSender(int rank) {
    senders = withRoom(senders, senderCount);
    senders[senderCount++] = rank;
  }

  /** What must have ended before. */
  void addAfter(int entry) {
    afters = withRoom(afters, afterCount);
    afters[afterCount++] = entry;
  }

  /**
   * Adds an entry with the senders and predecessors added since the last one.
   *
   * @param ownBytes of each message
   * @param ownCombined bytes that are combined when all have come
   * @return its number
   */
  int add(int row, int receiver, long ownBytes, long ownCombined) {
    rows = withRoom(rows, size);
    receivers = withRoom(receivers, size);
    senderEnds = withRoom(senderEnds, size);
    afterEnds = withRoom(afterEnds, size);
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
      combined = Arrays.copyOf(combined, 2 * size);
    }
    rows[size] = row;
    receivers[size] = receiver;
    bytes[size] = ownBytes;
    combined[size] = ownCombined;
    senderEnds[size] = senderCount;
    afterEnds[size] = afterCount;
    return size++;
  }

  private static int[] withRoom(int[] array, int used) {
    return used < array.length ? array : Arrays.copyOf(array, 2 * used);
  }

  int size() {
    return size;
  }

  int row(int entry) {
    return rows[entry];
  }

  int receiver(int entry) {
    return receivers[entry];
  }

  long bytes(int entry) {
    return bytes[entry];
  }

  long combined(int entry) {
    return combined[entry];
  }

  int senders(int entry) {
    return senderEnds[entry] - start(senderEnds, entry);
  }

  int sender(int entry, int turn) {
    return senders[start(senderEnds, entry) + turn];
  }

  int afters(int entry) {
    return afterEnds[entry] - start(afterEnds, entry);
  }

  int after(int entry, int number) {
    return afters[start(afterEnds, entry) + number];
  }

  private static int start(int[] ends, int entry) {
    return entry == 0 ? 0 : ends[entry - 1];
  }
}
