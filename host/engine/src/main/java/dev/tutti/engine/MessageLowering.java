package dev.tutti.engine;

import dev.tutti.engine.message.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Turns the tasks of a plan, in their one order, into a program for each process. Processes reach
 * only their own memory. A task whose operands lie in one process becomes a task of that process.
 * Any other task becomes messages, in the same order at both ends, and, if it reduces, a task of
 * one process.
 */
final class MessageLowering {

  /*
   *   copy         a message, from place to place
   *   reduce       a message into staging memory, which is then reduced
   *   reduceFrom   the same for each source that is elsewhere; but if all sources are in one process and the result
   *                is in another one, it is computed where the sources are, and sent
   *
   * The tasks are taken in rounds of messages, and each one in two steps: its messages are begun, and it is done
   * only when a later task needs it, or too many are begun. So all processes send first, and then wait and compute.
   *
   * The programs do not have the posts and awaits of the plan. Those order accesses to memory, and
   * only a process's own program accesses its memory, the same bytes in the order of the plan. So a program
   * waits only where a task touches bytes that an earlier message has not finished sending or
   * receiving. There it awaits that message.
   *
   * Nothing deadlocks. The programs are made together, message by message, and await only messages
   * that were begun before. Suppose that they are stuck, and take the awaited message that was made
   * first. One of its ends has begun it; the other end has not, so the other end awaits a message
   * that was made earlier. But there is none.
   *
   * Long spans are sent in pieces, so that a reduction works on one piece while the next ones are on
   * their way. Reductions that are done at the same time take turns, piece by piece. So processes
   * send and receive at the same time, and no process waits until another one has reduced all of
   * its own part.
   */

  /** The most bytes of a message. */
  static final long PIECE = 1 << 20;

  /** The alignment of operands in staging memory, in bytes. */
  private static final long ALIGNMENT = 64;

  /** The number of pieces after which staging memory is reused from its start, if possible. */
  private static final int STAGED_PIECES = 16;

  /** The most pieces of a source that are on their way at the same time. */
  private static final int MOST_AHEAD = 8;

  /** The most tasks of a process whose messages are begun before the first one is done. */
  private static final int MOST_BEGUN = 16;

  private static final long[] NOWHERE = {};

  private final TaskArrays whole;
  private final int[] processOf;
  private final Program[] programs;
  private final int staging;
  private final long piece;

  /** The tasks whose messages are begun, and that are not done, in order. */
  private final List<Begun> begun = new ArrayList<>();

  /** The part of a task that is added next, alone in its arrays. */
  private final TaskArrays part;

  /**
   * A message that was begun: the part of the process's own memory that it sends, or fills.
   *
   * @param task the task of the program that begins it
   */
  private record Pending(int task, int memory, long from, long to, boolean isReceived) {}

  /**
   * A task whose first messages are begun.
   *
   * @param places where its first pieces are in staging memory, by source; empty if it needs none
   */
  private record Begun(int task, int owner, long[] places) {}

  /** Bytes of staging memory that wait for their task. */
  private record Taken(long from, long to) {}

  /** The program of one process as it grows. */
  private final class Program {

    private final TaskArrays tasks = TaskArrays.like(whole);
    private final List<Pending> pending = new ArrayList<>();
    private final BitSet numbers = new BitSet();
    private final List<Taken> taken = new ArrayList<>();
    private long next;
    private long stagingBytes;

    /** Takes a place in staging memory, until {@link #release}. */
    long take(long bytes) {
      long length = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
      long at = next + length > STAGED_PIECES * piece ? 0 : next;
      for (int i = 0; i < taken.size(); i++) {
        Taken other = taken.get(i);
        if (at < other.to && other.from < at + length) {
          at = other.to;
          i = -1;
        }
      }
      taken.add(new Taken(at, at + length));
      next = at + length;
      stagingBytes = Math.max(stagingBytes, next);
      return at;
    }

    void release(long at) {
      taken.removeIf(span -> span.from == at);
    }

    /** Adds the current part of a task. This process must reach all its operands. */
    void addPart() {
      for (int i = Tiling.RESULT; i < Tiling.sources(part, 0); i++) {
        int slot = Tiling.slot(part, 0, i);
        await(slot, Tiling.offset(part, 0, i), part.bytes[0], i == Tiling.RESULT);
      }
      tasks.addPart(part, 0, 0, part.bytes[0]);
    }

    /**
     * Begins a message on behalf of a task.
     *
     * @param end {@link TaskArrays#SEND} or {@link TaskArrays#RECEIVE}
     * @param process the other end
     * @param slot the memory that sends or receives the bytes
     */
    void begin(byte end, int process, int task, int slot, long offset, long bytes) {
      boolean isReceived = end == TaskArrays.RECEIVE;
      await(slot, offset, bytes, isReceived);
      if (pending.size() == Wire.MOST_MESSAGES) {
        await(pending.removeFirst());
      }
      int message = numbers.nextClearBit(0);
      numbers.set(message);
      int added = tasks.add(end, whole, task);
      tasks.dst[added] = process;
      tasks.dstOffset[added] = message;
      tasks.source[added] = slot;
      tasks.sourceOffset[added] = offset;
      tasks.bytes[added] = bytes;
      long from = whole.start(slot) + offset;
      pending.add(new Pending(added, whole.memory(slot), from, from + bytes, isReceived));
    }

    /** Awaits the messages that must be done before a span is read, or written. */
    private void await(int slot, long offset, long bytes, boolean writes) {
      int memory = whole.memory(slot);
      long from = whole.start(slot) + offset;
      for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
        Pending each = all.next();
        boolean meet = each.memory == memory && from < each.to && each.from < from + bytes;
        if (meet && (writes || each.isReceived)) {
          await(each);
          all.remove();
        }
      }
    }

    private void await(Pending message) {
      int added = tasks.add(TaskArrays.AWAIT, tasks, message.task);
      tasks.dst[added] = tasks.dst[message.task];
      tasks.dstOffset[added] = tasks.dstOffset[message.task];
      numbers.clear((int) tasks.dstOffset[added]);
    }

    Lowered end() {
      pending.forEach(this::await);
      TaskArrays written = ListWriter.write(tasks, new BitSet(), new BitSet());
      return new Lowered(written, stagingBytes);
    }
  }

  private MessageLowering(TaskArrays whole, int[] processOf, int processes, long piece) {
    this.whole = whole;
    this.processOf = processOf;
    this.piece = piece;
    this.staging = whole.slotCount();
    this.part = TaskArrays.like(whole);
    this.programs = new Program[processes];
    Arrays.setAll(programs, process -> new Program());
  }

  /**
   * The program of one process.
   *
   * @param tasks its program
   * @param stagingBytes how much staging memory it needs, in the slot after those of the plan
   */
  record Lowered(TaskArrays tasks, long stagingBytes) {}

  /**
   * Makes the programs of all processes.
   *
   * @param whole the tasks of all ranks in one order
   * @param processOf the process of each rank, from 0
   * @param piece the most bytes of a message; a multiple of the size of every element type
   */
  static List<Lowered> lower(TaskArrays whole, int[] processOf, long piece) {
    int processes = Arrays.stream(processOf).max().orElse(0) + 1;
    MessageLowering lowering = new MessageLowering(whole, processOf, processes, piece);
    for (int task : Rounds.order(whole, processOf)) {
      lowering.finish(each -> Spans.conflict(whole, each.task, task));
      lowering.lower(task);
    }
    lowering.finish(each -> true);
    return Stream.of(lowering.programs).map(Program::end).toList();
  }

  private int process(int task, int operand) {
    return processOf[whole.rank(Tiling.slot(whole, task, operand))];
  }

  private void lower(int task) {
    int sources = Tiling.sources(whole, task);
    int owner = process(task, Tiling.RESULT);
    int first = process(task, 0);
    boolean isOneSource = true;
    for (int i = 1; i < sources; i++) {
      isOneSource &= process(task, i) == first;
    }
    if (isOneSource && first == owner) {
      add(new Begun(task, owner, NOWHERE));
    } else if (whole.op[task] == TaskArrays.COPY) {
      copy(task, first, owner);
    } else if (whole.op[task] == TaskArrays.REDUCE_FROM && isOneSource) {
      reduceAtSources(task, first, owner);
    } else {
      add(new Begun(task, owner, fetch(task, owner, 0)));
    }
  }

  private void add(Begun added) {
    begun.add(added);
    long staged = 0;
    int count = 0;
    for (Begun each : begun) {
      if (each.owner == added.owner) {
        staged += each.places.length * Math.min(piece, whole.bytes[each.task]);
        count++;
      }
    }
    if (count > MOST_BEGUN || staged > STAGED_PIECES * piece) {
      Begun oldest =
          begun.stream().filter(each -> each.owner == added.owner).findFirst().orElseThrow();
      finish(each -> each.task == oldest.task);
    }
  }

  /**
   * Does begun tasks. If one of them is a reduction in several pieces, all such reductions are done
   * in turns. No two begun tasks touch the same bytes, unless both only read.
   */
  private void finish(Predicate<Begun> which) {
    List<Begun> ready = new ArrayList<>();
    begun.removeIf(each -> which.test(each) && ready.add(each));
    if (ready.stream().anyMatch(this::hasPieces)) {
      begun.removeIf(each -> hasPieces(each) && ready.add(each));
    }
    List<Reduction> reductions = new ArrayList<>();
    for (Begun each : ready) {
      if (each.places.length == 0) {
        take(each.task, 0, whole.bytes[each.task]);
        programs[each.owner].addPart();
      } else {
        reductions.add(new Reduction(each));
      }
    }
    reduceInTurns(reductions);
  }

  private boolean hasPieces(Begun each) {
    return each.places.length > 0 && whole.bytes[each.task] > piece;
  }

  /** Does reductions piece by piece, and removes each one that is done. */
  private void reduceInTurns(List<Reduction> reductions) {
    int[] sources = new int[programs.length];
    reductions.forEach(each -> sources[each.owner] += each.places.getFirst().length);
    while (!reductions.isEmpty()) {
      for (Reduction each : reductions) {
        each.fetch(Math.clamp(STAGED_PIECES / sources[each.owner], 2, MOST_AHEAD));
      }
      reductions.removeIf(each -> !each.reduce());
    }
  }

  /** A reduction whose pieces are received before they are reduced. */
  private final class Reduction {

    private final int task;
    private final int owner;

    /** Where the pieces that are on their way are in staging memory. */
    private final Deque<long[]> places = new ArrayDeque<>();

    private long fetched;
    private long reduced;

    Reduction(Begun begun) {
      this.task = begun.task;
      this.owner = begun.owner;
      places.add(begun.places);
      this.fetched = piece;
    }

    /** Begins to move pieces until some are on their way. */
    void fetch(int pieces) {
      while (places.size() < pieces && fetched < whole.bytes[task]) {
        places.add(MessageLowering.this.fetch(task, owner, fetched));
        fetched += piece;
      }
    }

    /** Reduces the first piece; returns whether there are more. */
    boolean reduce() {
      MessageLowering.this.reduce(task, owner, reduced, places.remove());
      reduced += piece;
      return reduced < whole.bytes[task];
    }
  }

  private void copy(int task, int from, int to) {
    for (long at = 0; at < whole.bytes[task]; at += piece) {
      long bytes = Math.min(piece, whole.bytes[task] - at);
      send(from, to, task, whole.source[task], whole.sourceOffset[task] + at, bytes);
      receive(from, to, task, whole.dst[task], whole.dstOffset[task] + at, bytes);
    }
  }

  private void reduceAtSources(int task, int from, int to) {
    Program there = programs[from];
    for (long at = 0; at < whole.bytes[task]; at += piece) {
      long bytes = Math.min(piece, whole.bytes[task] - at);
      long place = there.take(bytes);
      take(task, at, bytes);
      part.dst[0] = staging;
      part.dstOffset[0] = place;
      there.addPart();
      send(from, to, task, staging, place, bytes);
      there.release(place);
      receive(from, to, task, whole.dst[task], whole.dstOffset[task] + at, bytes);
    }
  }

  /**
   * Moves a piece of each source of another process; returns the places in staging memory, by
   * source.
   */
  private long[] fetch(int task, int owner, long at) {
    long bytes = Math.min(piece, whole.bytes[task] - at);
    long[] places = new long[Tiling.sources(whole, task)];
    for (int i = 0; i < places.length; i++) {
      int from = process(task, i);
      if (from != owner) {
        places[i] = programs[owner].take(bytes);
        long source = Tiling.offset(whole, task, i) + at;
        send(from, owner, task, Tiling.slot(whole, task, i), source, bytes);
        receive(from, owner, task, staging, places[i], bytes);
      }
    }
    return places;
  }

  private void reduce(int task, int owner, long at, long[] places) {
    take(task, at, Math.min(piece, whole.bytes[task] - at));
    for (int i = 0; i < places.length; i++) {
      if (process(task, i) != owner) {
        part.setSource(0, i, staging, places[i]);
      }
    }
    programs[owner].addPart();
    for (int i = 0; i < places.length; i++) {
      if (process(task, i) != owner) {
        programs[owner].release(places[i]);
      }
    }
  }

  private void send(int from, int to, int task, int slot, long offset, long bytes) {
    programs[from].begin(TaskArrays.SEND, to, task, slot, offset, bytes);
  }

  private void receive(int from, int to, int task, int slot, long offset, long bytes) {
    programs[to].begin(TaskArrays.RECEIVE, from, task, slot, offset, bytes);
  }

  /** Sets {@link #part} to some bytes of a task. */
  private void take(int task, long at, long bytes) {
    part.clear();
    part.addPart(whole, task, at, bytes);
  }
}
