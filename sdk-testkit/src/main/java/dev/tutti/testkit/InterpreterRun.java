package dev.tutti.testkit;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.plan.RankPlan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** One run of a plan in a random order. */
final class InterpreterRun {

  /*
   * Streams are runnable, waiting for a cell, or done. An await on a clear cell puts its stream into
   * the cell's list of waiters (linked through nextWaiter); a post makes all waiters runnable again,
   * and the first one to run takes the bit. A stream keeps running for a random number of events,
   * one for some seeds and hundreds for others, so that both fine interleavings and far stragglers
   * occur.
   */
  private static final int NONE = -1;
  private static final int[] BURSTS = {1, 3, 40, 1000};

  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final GroupMemory memory;
  private final SplittableRandom random;
  private final int burst;

  private final BitSet bits;
  private final int[] firstWaiter;
  private final int[] nextWaiter;
  private final int[] position;
  private final int[] runnable;
  private int runnableCount;

  private final Block accumulator = new Block();
  private final Block operand = new Block();
  private final Findings findings = new Findings();

  InterpreterRun(FlatPlan plan, GroupMemory memory, long seed) {
    this.plan = plan;
    this.streams = plan.streams();
    this.memory = memory;
    this.random = new SplittableRandom(seed);
    this.burst = BURSTS[random.nextInt(BURSTS.length)];
    this.bits = new BitSet(plan.cellCount());
    this.firstWaiter = new int[plan.cellCount()];
    Arrays.fill(firstWaiter, NONE);
    this.nextWaiter = new int[streams.size()];
    this.position = new int[streams.size()];
    this.runnable = new int[streams.size()];
  }

  PlanInterpreter.Outcome run() {
    for (int stream = 0; stream < runnable.length; stream++) {
      runnable[runnableCount++] = stream;
    }
    while (runnableCount > 0) {
      int slot = random.nextInt(runnableCount);
      if (!advance(runnable[slot], 1 + random.nextInt(burst))) {
        runnable[slot] = runnable[--runnableCount];
      }
    }
    boolean isComplete = true;
    for (int stream = 0; stream < position.length; stream++) {
      isComplete &= position[stream] == streams.get(stream).size();
    }
    if (isComplete) {
      findLeftOvers();
    } else {
      String text = new WaitGraph(plan, position).describe();
      boolean isConsequence = findings.has(Rules.LOST_NOTIFY);
      findings.add(
          isConsequence ? Rules.LOST_NOTIFY : Rules.DEADLOCK,
          isConsequence ? "after that signal was lost the run is stuck: " + text : text);
    }
    return new PlanInterpreter.Outcome(isComplete, findings.toList());
  }

  /** Runs some events of a stream; false if it then is done or waits. */
  private boolean advance(int stream, int events) {
    FlatStream code = streams.get(stream);
    for (int i = 0; i < events && position[stream] < code.size(); i++) {
      int event = position[stream];
      int sync = code.sync(event);
      if (FlatStream.isAwait(sync)) {
        int cell = FlatStream.cell(sync);
        if (!bits.get(cell)) {
          nextWaiter[stream] = firstWaiter[cell];
          firstWaiter[cell] = stream;
          return false;
        }
        bits.clear(cell);
      } else if (FlatStream.isPost(sync)) {
        post(code, event, FlatStream.cell(sync));
      } else if (sync == FlatStream.DATA) {
        move(code.plan(event), code.action(event));
      }
      position[stream]++;
    }
    return position[stream] < code.size();
  }

  private void post(FlatStream code, int event, int cell) {
    if (bits.get(cell)) {
      findings.add(
          Rules.LOST_NOTIFY,
          code.origin(event),
          code.describe(event) + " finds its notify still set: the signal is lost");
    }
    bits.set(cell);
    for (int waiter = firstWaiter[cell]; waiter != NONE; waiter = nextWaiter[waiter]) {
      runnable[runnableCount++] = waiter;
    }
    firstWaiter[cell] = NONE;
  }

  private void findLeftOvers() {
    for (int cell = bits.nextSetBit(0); cell >= 0; cell = bits.nextSetBit(cell + 1)) {
      findings.add(Rules.LEFT_OVER_NOTIFY, WaitGraph.describeLeftOver(plan, cell, 1));
    }
  }

  private void move(RankPlan code, int action) {
    MemorySegment dst = memory.mem(code.dstRank(action), code.dstType(action));
    long dstOffset = code.dstOffset(action);
    long bytes = code.bytes(action);
    switch (code.kind(action)) {
      case COPY ->
          MemorySegment.copy(
              source(code, action, 0), code.srcOffset(action, 0), dst, dstOffset, bytes);
      case REDUCE -> reduce(code, action, dst, dstOffset, bytes, true);
      case REDUCE_FROM -> reduce(code, action, dst, dstOffset, bytes, false);
      default -> throw new IllegalStateException(code.kind(action) + " does not move data");
    }
  }

  private MemorySegment source(RankPlan code, int action, int source) {
    return memory.mem(code.srcRank(action, source), code.srcType(action, source));
  }

  /** Combines all sources, after the destination if that is an operand too. */
  private void reduce(
      RankPlan code, int action, MemorySegment dst, long dstOffset, long bytes, boolean withDst) {
    DataType type = code.dataType(action);
    ReduceOp op = code.reduceOp(action);
    long count = bytes / type.size();
    for (long done = 0; done < count; done += Block.SIZE) {
      int n = (int) Math.min(Block.SIZE, count - done);
      long shift = done * type.size();
      int next = 0;
      if (withDst) {
        accumulator.load(type, dst, dstOffset + shift, n);
      } else {
        accumulator.load(type, source(code, action, 0), code.srcOffset(action, 0) + shift, n);
        next = 1;
      }
      for (; next < code.sourceCount(action); next++) {
        operand.load(type, source(code, action, next), code.srcOffset(action, next) + shift, n);
        accumulator.combine(type, op, operand, n);
      }
      accumulator.store(type, dst, dstOffset + shift, n);
    }
  }
}
