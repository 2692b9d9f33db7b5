package dev.tutti.engine;

import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A plan of so few bytes that each list shows its input before it enters an operation, and computes
 * its own results from the inputs of all. The lists then meet once in an operation, and not again
 * before their ranks may use their buffers. In the protocol LL of NCCL, too, data travels with the
 * flag that announces it.
 *
 * <p>An input of a few words is shown in the line of the list's progress. A larger one is copied to
 * a <em>room</em>, memory that all lists can read, and read there.
 *
 * <p>Each list runs the tasks of all lists on which its results depend, in an order that the plan
 * allows, with copies of all memory that is not its callers'. So the results have the same bits as
 * those of a run in which each list does its part.
 */
public final class ShortPlan {

  /** The words of input that a list can show in its line. */
  public static final int LINE_WORDS = 3;

  /** The bytes of input that a list can show in its line. */
  public static final int LINE_BYTES = LINE_WORDS * Long.BYTES;

  /** The bytes of input that a list can show in a room. */
  public static final int ROOM_BYTES = 4 << 10;

  /** The largest number of lists. */
  public static final int MAX_LISTS = 8;

  /**
   * The largest number of bytes of others' inputs that a list reads. To read more takes longer than
   * to meet again.
   */
  private static final int MAX_BYTES_READ = 12 << 10;

  /** The largest number of tasks that a list runs, including those of others. */
  private static final int MAX_TASKS = 32;

  /** The end of the last byte that a plan may touch in a memory. */
  private static final int MAX_EXTENT = ROOM_BYTES;

  /** Copies begin with cache lines, and have whole words. */
  private static final long COPY_ALIGNMENT = 64;

  private static final int NO_SLOT = -1;
  private static final boolean IS_LITTLE_ENDIAN =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private final MemorySlots slots;
  private final int[] listOf;

  /** The tasks that each list runs. */
  private final TaskArrays[] tasks;

  /** The slot of the input that each list shows, and its bytes. */
  private final int[] shownSlot;

  private final int[] shownBytes;

  /** The bytes that each list can show. */
  private final int room;

  /** Carries inputs between lists that run an operation. */
  public interface Inputs {

    /**
     * Shows a word of a list's input, before the list enters the operation.
     *
     * @param word below {@link #LINE_WORDS}
     */
    void show(int list, long operation, int word, long value);

    /** A word that a list has shown, after it has entered the operation. */
    long shown(int list, long operation, int word);

    /**
     * The room of a list, which all may read after the list has entered the operation: one of two,
     * which operations use in turns.
     */
    MemorySegment room(int list, long operation);
  }

  private ShortPlan(MemorySlots slots, int[] listOf, int lists, int room) {
    this.slots = slots;
    this.listOf = listOf;
    this.room = room;
    this.tasks = new TaskArrays[lists];
    this.shownSlot = new int[lists];
    this.shownBytes = new int[lists];
    Arrays.fill(shownSlot, NO_SLOT);
  }

  /**
   * Makes a short plan.
   *
   * @param listOf the list of each rank
   * @param room the bytes of input that a list can show the others
   * @return null if the plan is too large, or needs more than inputs of other lists
   */
  static @Nullable ShortPlan of(List<TaskArrays> lists, MemorySlots slots, int[] listOf, int room) {
    if (lists.size() > MAX_LISTS
        || slots.views() > 0
        || slots.touchedBytes() > (long) slots.count() * MAX_EXTENT) {
      return null;
    }
    TaskArrays tasks = inOrder(lists);
    if (tasks == null) {
      return null;
    }
    ShortPlan made = new ShortPlan(slots, listOf, lists.size(), room);
    for (int list = 0; list < lists.size(); list++) {
      if (!made.find(list, tasks)) {
        return null;
      }
    }
    return made;
  }

  /** The data tasks of all lists; null if they are too many, too large, or wait for others. */
  private static @Nullable TaskArrays inOrder(List<TaskArrays> lists) {
    TaskArrays all = TaskArrays.like(lists.getFirst());
    int[] next = new int[lists.size()];
    long[] published = new long[lists.size()];
    boolean getsOn = true;
    while (getsOn) {
      getsOn = false;
      for (int i = 0; i < next.length; i++) {
        TaskArrays list = lists.get(i);
        while (next[i] < list.size && hasCome(list, next[i], published)) {
          if (all.size > MAX_LISTS * MAX_TASKS || !add(list, next[i], all)) {
            return null;
          }
          if (list.op[next[i]] == TaskArrays.PUBLISH) {
            published[i] = list.bytes[next[i]];
          }
          next[i]++;
          getsOn = true;
        }
      }
    }
    for (int i = 0; i < next.length; i++) {
      if (next[i] < lists.get(i).size) {
        return null;
      }
    }
    return all;
  }

  private static boolean hasCome(TaskArrays list, int task, long[] published) {
    return list.op[task] != TaskArrays.WAIT || published[list.dst[task]] >= list.bytes[task];
  }

  /** Adds a task if it moves data; returns false if it cannot be part of a short plan. */
  private static boolean add(TaskArrays list, int task, TaskArrays all) {
    byte op = list.op[task];
    if (!Tiling.isData(op)) {
      return op == TaskArrays.TILED || op == TaskArrays.WAIT || op == TaskArrays.PUBLISH;
    }
    for (int i = Tiling.RESULT; i < Tiling.sources(list, task); i++) {
      if (Tiling.offset(list, task, i) + list.bytes[task] > MAX_EXTENT) {
        return false;
      }
    }
    int ignored = all.addPart(list, task, 0, list.bytes[task]);
    return true;
  }

  /**
   * Finds the tasks on which a list's results depend, from the last one to the first, and the
   * inputs.
   *
   * @return whether there are few tasks, and the other lists can show what they need
   */
  private boolean find(int list, TaskArrays all) {
    BitSet found = new BitSet();
    BitSet[] live = new BitSet[slots.count()];
    for (int slot = 0; slot < live.length; slot++) {
      live[slot] = new BitSet();
      live[slot].set(0, MAX_EXTENT, isOwn(slot, list));
    }
    for (int task = all.size - 1; task >= 0; task--) {
      BitSet result = live[all.dst[task]];
      int from = (int) all.dstOffset[task];
      int to = from + (int) all.bytes[task];
      int first = result.nextSetBit(from);
      if (first >= 0 && first < to) {
        found.set(task);
        if (all.op[task] != TaskArrays.REDUCE) {
          result.clear(from, to);
        }
        for (int i = 0; i < Tiling.sources(all, task); i++) {
          int at = (int) Tiling.offset(all, task, i);
          live[Tiling.slot(all, task, i)].set(at, at + (int) all.bytes[task]);
        }
      }
    }
    boolean isShort = found.cardinality() <= MAX_TASKS;
    int read = 0;
    for (int slot = 0; slot < live.length && isShort; slot++) {
      int bytes = isOwn(slot, list) ? 0 : live[slot].length();
      read += bytes;
      isShort = read <= MAX_BYTES_READ && (bytes == 0 || show(slot, bytes));
    }
    if (isShort) {
      tasks[list] = shortened(list, all, found);
    }
    return isShort;
  }

  /**
   * The tasks of a list without copies that only pass a result on; tasks that continue each other
   * are one.
   */
  private TaskArrays shortened(int list, TaskArrays all, BitSet found) {
    TaskArrays own = TaskArrays.like(all);
    found.stream().forEach(task -> addPart(own, all, task));
    Forwarding.ReadCounts reads = new Forwarding.ReadCounts(new TaskArrays[] {own});
    BitSet dropped = Forwarding.run(0, own, new BitSet(), reads, slot -> !isOwn(slot, list));
    TaskArrays made = TaskArrays.like(all);
    for (int task = 0; task < own.size; task++) {
      if (!dropped.get(task) && !made.join(own, task)) {
        addPart(made, own, task);
      }
    }
    made.trim();
    return made;
  }

  private static void addPart(TaskArrays to, TaskArrays from, int task) {
    int ignored = to.addPart(from, task, 0, from.bytes[task]);
  }

  /** Makes a list show a memory, if it can. */
  private boolean show(int slot, int bytes) {
    int rank = slots.rank(slot);
    int list = listOf[rank];
    boolean isFirst = shownSlot[list] == NO_SLOT || shownSlot[list] == slot;
    shownSlot[list] = slot;
    shownBytes[list] = Math.max(shownBytes[list], bytes);
    return isFirst && bytes <= room && slot == slots.of(rank, TransportMemType.PARAM_INPUT);
  }

  /** Whether a slot is memory of the callers of a list. */
  private boolean isOwn(int slot, int list) {
    return listOf[slots.rank(slot)] == list && !slots.isPrivate(slot);
  }

  /**
   * Shows the input of a list.
   *
   * @param bound the memory of each slot
   */
  void show(int list, MemorySegment[] bound, long operation, Inputs inputs) {
    int bytes = shownBytes[list];
    if (bytes > LINE_BYTES) {
      MemorySegment.copy(bound[shownSlot[list]], 0, inputs.room(list, operation), 0, bytes);
    } else if (bytes > 0) {
      MemorySegment input = bound[shownSlot[list]];
      for (int at = 0; at < bytes; at += Long.BYTES) {
        inputs.show(list, operation, at / Long.BYTES, word(input, at, bytes - at));
      }
    }
  }

  /** Up to eight bytes, as they are in memory. */
  private static long word(MemorySegment input, int at, int bytes) {
    if (bytes >= Long.BYTES) {
      return input.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    long word = 0;
    for (int i = 0; i < bytes; i++) {
      int shift = Byte.SIZE * (IS_LITTLE_ENDIAN ? i : Long.BYTES - 1 - i);
      word |= (input.get(ValueLayout.JAVA_BYTE, at + i) & 0xffL) << shift;
    }
    return word;
  }

  /**
   * Makes the part of one list.
   *
   * @param bound the memory of each slot
   * @param newRunner makes a runner for the memory of each slot
   * @param inputs where the inputs will be shown
   */
  Part part(
      int list,
      MemorySegment[] bound,
      BiFunction<TaskArrays, MemorySegment[], TaskRunner> newRunner,
      Inputs inputs) {
    return new Part(list, bound, newRunner, inputs);
  }

  /** One list's part, bound to memory. One thread at a time may use it. */
  final class Part {

    private final int list;
    private final int count;

    /** For operations with an even number, and for odd ones. */
    private final TaskRunner[] runners = new TaskRunner[2];

    /** The copy of the input of each other list; null if it is not copied. */
    private final @Nullable MemorySegment[] copies = new MemorySegment[shownSlot.length];

    private Part(
        int list,
        MemorySegment[] bound,
        BiFunction<TaskArrays, MemorySegment[], TaskRunner> newRunner,
        Inputs inputs) {
      this.list = list;
      TaskArrays own = tasks[list];
      long[] extents = new long[slots.count()];
      BitSet written = new BitSet();
      for (int task = 0; task < own.size; task++) {
        written.set(own.dst[task]);
        for (int i = Tiling.RESULT; i < Tiling.sources(own, task); i++) {
          int slot = Tiling.slot(own, task, i);
          long end = Tiling.offset(own, task, i) + own.bytes[task];
          extents[slot] = Math.max(extents[slot], end);
        }
      }
      this.count = own.size;
      MemorySegment[] memory = copied(bound, extents);
      for (int other = 0; other < copies.length; other++) {
        int slot = shownSlot[other];
        if (slot != NO_SLOT && (shownBytes[other] <= LINE_BYTES || written.get(slot))) {
          copies[other] = memory[slot];
        }
      }
      boolean differ = IntStream.range(0, copies.length).anyMatch(this::isReadInItsRoom);
      runners[0] = newRunner.apply(own, withRooms(memory, inputs, 0));
      runners[1] = differ ? newRunner.apply(own, withRooms(memory, inputs, 1)) : runners[0];
    }

    /** The memory of the tasks: copies of all that is not the list's own. */
    private MemorySegment[] copied(MemorySegment[] bound, long[] extents) {
      for (int other = 0; other < copies.length; other++) {
        if (shownSlot[other] != NO_SLOT) {
          extents[shownSlot[other]] = Math.max(extents[shownSlot[other]], shownBytes[other]);
        }
      }
      MemorySegment[] memory = bound.clone();
      IntPredicate isCopied = slot -> extents[slot] > 0 && !isOwn(slot, list);
      int[] copied = IntStream.range(0, memory.length).filter(isCopied).toArray();
      long all = IntStream.of(copied).mapToLong(slot -> roundUp(extents[slot])).sum();
      MemorySegment block = Arena.ofAuto().allocate(all, COPY_ALIGNMENT);
      long at = 0;
      for (int slot : copied) {
        memory[slot] = block.asSlice(at, roundUp(extents[slot]));
        at += roundUp(extents[slot]);
      }
      return memory;
    }

    private MemorySegment[] withRooms(MemorySegment[] memory, Inputs inputs, int operation) {
      MemorySegment[] all = memory.clone();
      for (int other = 0; other < copies.length; other++) {
        if (isReadInItsRoom(other)) {
          all[shownSlot[other]] = inputs.room(other, operation);
        }
      }
      return all;
    }

    private boolean isReadInItsRoom(int other) {
      return other != list && shownSlot[other] != NO_SLOT && copies[other] == null;
    }

    /** Computes the list's results from the inputs that the others show. */
    void compute(long operation, Inputs inputs) {
      for (int other = 0; other < copies.length; other++) {
        MemorySegment copy = copies[other];
        if (other != list && copy != null) {
          copy(other, copy, operation, inputs);
        }
      }
      TaskRunner runner = runners[(int) operation & 1];
      for (int task = 0; task < count; task++) {
        runner.run(task);
      }
    }

    private void copy(int other, MemorySegment to, long operation, Inputs inputs) {
      int bytes = shownBytes[other];
      if (bytes > LINE_BYTES) {
        MemorySegment.copy(inputs.room(other, operation), 0, to, 0, bytes);
        return;
      }
      for (int at = 0; at < bytes; at += Long.BYTES) {
        to.set(ValueLayout.JAVA_LONG, at, inputs.shown(other, operation, at / Long.BYTES));
      }
    }
  }

  private static long roundUp(long bytes) {
    return (bytes + COPY_ALIGNMENT - 1) & -COPY_ALIGNMENT;
  }
}
