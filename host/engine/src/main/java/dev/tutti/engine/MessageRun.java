package dev.tutti.engine;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.message.Wire;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * The program of one process, bound to its memory. It runs any number of times, and allocates
 * nothing. One thread at a time may use it. As a {@link RankBinding} it is the list of one rank of
 * the process; the lists of the other ranks only wait for its end.
 */
public final class MessageRun extends RankBinding {

  /** What the list that runs the program signals at its end. */
  private static final int END = 1;

  /** The number of tasks of a list that only waits. */
  private static final int WAIT_ONLY = 1;

  private final TaskArrays tasks;
  private final TaskRunner runner;
  private final MemorySegment[] slots;
  private final Frame.OfPlan frames;
  private final Wire wire;

  /** The ranks of the process. */
  private final IntPredicate isOwn;

  /** The queue that runs the program; those of the process's other ranks wait for its end. */
  private final int queue;

  private int position;

  MessageRun(
      TaskArrays tasks,
      TaskRunner runner,
      MemorySegment[] slots,
      Frame.OfPlan frames,
      Wire wire,
      IntPredicate isOwn,
      int queue,
      long number,
      Object owner) {
    super(number, owner);
    this.tasks = tasks;
    this.runner = runner;
    this.slots = slots;
    this.frames = frames;
    this.wire = wire;
    this.isOwn = isOwn;
    this.queue = queue;
    this.position = tasks.size;
  }

  /** Begins a run. The previous one must have ended. */
  public void begin() {
    position = 0;
  }

  /**
   * Whether the run has ended: all data of this process is sent, and all data for it is received.
   */
  public boolean isDone() {
    return position == tasks.size;
  }

  /**
   * Continues the run until it ends, has to wait for a message, or has worked for a while. Never
   * blocks.
   *
   * @return whether it made progress
   */
  public boolean advance() {
    TaskArrays t = tasks;
    int from = position;
    int at = from;
    long budget = PlanRun.CHECK_BYTES;
    while (at < t.size && budget > 0) {
      switch (t.op[at]) {
        case TaskArrays.SEND, TaskArrays.RECEIVE -> begin(at);
        case TaskArrays.AWAIT -> {
          if (!wire.isDone((int) t.dstOffset[at])) {
            position = at;
            return at > from;
          }
        }
        case TaskArrays.TILED -> {
          int count = t.source[at];
          runner.runTiled(at + 1, count, 0, t.bytes[at]);
          budget -= t.bytes[at] * count;
          at += count;
        }
        default -> {
          runner.run(at);
          budget -= t.bytes[at];
        }
      }
      position = ++at;
    }
    return at > from;
  }

  @Override
  public int size(int list) {
    return list == queue ? tasks.size : WAIT_ONLY;
  }

  @Override
  public int awaited(int list, int task) {
    return list == queue ? MESSAGE : queue;
  }

  @Override
  public long awaitedItems(int list, int task) {
    return list == queue ? 0 : END;
  }

  @Override
  public int run(int list, long operation, int from, Signals signals) {
    if (list != queue) {
      return signals.hasCome(queue, operation, END) ? WAIT_ONLY : 0;
    }
    position = from;
    boolean getsOn = true;
    while (getsOn && position < tasks.size && !signals.isOver(operation)) {
      getsOn = advance();
      signals.isAt(list, position);
    }
    if (position == tasks.size) {
      signals.tell(list, operation, END);
    }
    return position;
  }

  @Override
  public boolean stop(int list) {
    boolean hasBegun = list == queue && position > 0 && position < tasks.size;
    if (hasBegun) {
      wire.giveUp();
    }
    return hasBegun;
  }

  @Override
  public List<StreamPosition> positions(IntUnaryOperator taskOf) {
    Positions undone = new Positions(frames.parts());
    for (int at = position; at < tasks.size; at++) {
      undone.add(tasks, at);
    }
    return undone.of(frames.root()).stream().filter(each -> isOwn.test(each.rank())).toList();
  }

  private void begin(int at) {
    int message = (int) tasks.dstOffset[at];
    MemorySegment memory = slots[tasks.source[at]];
    long offset = tasks.sourceOffset[at];
    if (tasks.op[at] == TaskArrays.SEND) {
      wire.send(message, tasks.dst[at], memory, offset, tasks.bytes[at]);
    } else {
      wire.receive(message, tasks.dst[at], memory, offset, tasks.bytes[at]);
    }
  }

  /** The process whose message the run waits for; −1 if it waits for none. */
  public int waitsFor() {
    return !isDone() && tasks.op[position] == TaskArrays.AWAIT ? tasks.dst[position] : -1;
  }

  /** The position of the run, as text. */
  @Override
  public String toString() {
    if (isDone()) {
      return "done";
    }
    Frame.Part part = frames.parts().get(tasks.part[position]);
    String action = DeadlockText.at(part.plan, tasks.action[position]);
    return waitsFor() < 0
        ? "at " + action
        : Sentence.of("waits for process %d at %s", waitsFor(), action);
  }
}
