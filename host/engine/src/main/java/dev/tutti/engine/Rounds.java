package dev.tutti.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Orders the tasks of a plan by rounds of messages: first those that need no message, and those
 * whose messages need no other, then those that need one round before, and so on. Tasks that touch
 * the same bytes stay in the order of the plan if one of them writes.
 *
 * <p>The order of the plan may do all tasks of one rank before those of the next. Then a process
 * would send its data only after it has received that of others.
 */
final class Rounds {

  private final TaskArrays whole;
  private final int[] processOf;

  /** By memory, the rounds after which its bytes may be read and written. */
  private final Map<Integer, Memory> memories = new HashMap<>();

  private Rounds(TaskArrays whole, int[] processOf) {
    this.whole = whole;
    this.processOf = processOf;
  }

  /**
   * The tasks in their new order.
   *
   * @param whole the tasks of all ranks in one order
   * @param processOf the process of each rank
   */
  static int[] order(TaskArrays whole, int[] processOf) {
    Rounds rounds = new Rounds(whole, processOf);
    int[] round = new int[whole.size];
    for (int task = 0; task < whole.size; task++) {
      round[task] = rounds.add(task);
    }
    return IntStream.range(0, whole.size)
        .boxed()
        .sorted(Comparator.comparingInt(task -> round[task]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Adds a task, and returns its round. */
  private int add(int task) {
    int round = 0;
    boolean isMessage = false;
    int process = process(task, Tiling.RESULT);
    for (int i = Tiling.RESULT; i < Tiling.sources(whole, task); i++) {
      round = Math.max(round, memory(task, i).begins(from(task, i), to(task, i), isWrite(i)));
      isMessage |= process(task, i) != process;
    }
    int end = isMessage ? round + 1 : round;
    for (int i = Tiling.sources(whole, task) - 1; i >= Tiling.RESULT; i--) {
      memory(task, i).ends(from(task, i), to(task, i), isWrite(i), end);
    }
    return round;
  }

  private static boolean isWrite(int operand) {
    return operand == Tiling.RESULT;
  }

  private int process(int task, int operand) {
    return processOf[whole.rank(Tiling.slot(whole, task, operand))];
  }

  private Memory memory(int task, int operand) {
    return memories.computeIfAbsent(
        whole.memory(Tiling.slot(whole, task, operand)), memory -> new Memory());
  }

  private long from(int task, int operand) {
    return whole.start(Tiling.slot(whole, task, operand)) + Tiling.offset(whole, task, operand);
  }

  private long to(int task, int operand) {
    return from(task, operand) + whole.bytes[task];
  }

  /** The bytes of a memory, in spans that begin at the keys; each reaches to the next one. */
  private static final class Memory {

    private static final int READ = 0;
    private static final int WRITTEN = 1;

    /** The rounds after the last reads and the last write of a span. */
    private final NavigableMap<Long, int[]> spans = new TreeMap<>();

    Memory() {
      spans.put(0L, new int[2]);
    }

    /** The first round in which some bytes may be read, or written. */
    int begins(long from, long to, boolean writes) {
      int round = 0;
      for (int[] span : split(from, to).values()) {
        round = Math.max(round, writes ? Math.max(span[READ], span[WRITTEN]) : span[WRITTEN]);
      }
      return round;
    }

    void ends(long from, long to, boolean writes, int round) {
      for (int[] span : split(from, to).values()) {
        int kind = writes ? WRITTEN : READ;
        span[kind] = Math.max(span[kind], round);
      }
    }

    private NavigableMap<Long, int[]> split(long from, long to) {
      for (long at : new long[] {from, to}) {
        Map.Entry<Long, int[]> before = spans.floorEntry(at);
        if (before.getKey() != at) {
          spans.put(at, Arrays.copyOf(before.getValue(), 2));
        }
      }
      return spans.subMap(from, true, to, false);
    }
  }
}
