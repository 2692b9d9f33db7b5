package dev.tutti.verifier.run;

import dev.tutti.plan.ActionRef;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.WaitGraph;
import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run of a plan in a random order, with faults and under a deadline if there are any. */
final class InterpreterRun {

  /*
   * A stream is ready, held by a delay, waiting for a cell, or stopped for good. An await on a
   * clear cell puts its stream into the cell's list of waiters (linked through nextWaiter). A
   * signal makes all waiters ready again, and the first one to run takes the bit. A stream runs for
   * a random number of events at a time. Some seeds allow one event, others hundreds, so that both
   * fine interleavings and far stragglers occur.
   *
   * Time is the number of events that have run. When no stream is ready, time jumps to the next
   * timer, so no run hangs: a wait ends when its signal arrives or its deadline passes. The first
   * error under a deadline poisons the group: every rank that is still inside its call fails at
   * once, and its streams skip their remaining events. Streams that are still running when their
   * rank's call returns are outside every call: their waits have no deadline, and nothing stops
   * them. That is why an unjoined slave stream is dangerous.
   */
  private static final int NONE = -1;
  private static final int[] BURSTS = {1, 3, 40, 1000};

  private enum Call {
    OPEN,
    RETURNED,
    FAILED,
    DEAD
  }

  private enum Mode {
    READY,
    HELD,
    WAITING,
    STOPPED
  }

  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final GroupMemory memory;
  private final Caller caller;
  private final FaultTable faults;
  private final long seed;
  private final long deadline;
  private final SplittableRandom random;
  private final int burst;

  private final BitSet bits;
  private final int[] firstWaiter;
  private final int[] nextWaiter;
  private final int[] position;
  private final Mode[] modes;
  private final Call[] calls;

  /** For each stream, the number of the timer that ends its wait. */
  private final long[] expiry;

  private final int[] runnable;
  private int runnableCount;
  private final Timers timers = new Timers();
  private long now;
  private long lastEvent;
  private @Nullable Diagnosis diagnosis;

  private final Mover mover;
  private final Findings findings = new Findings();

  InterpreterRun(
      FlatPlan plan,
      GroupMemory memory,
      long seed,
      Caller caller,
      List<? extends Fault> faults,
      long deadline) {
    this.plan = plan;
    this.streams = plan.streams();
    this.memory = memory;
    this.caller = caller;
    this.faults = new FaultTable(plan, faults);
    this.seed = seed;
    this.deadline = deadline;
    this.random = new SplittableRandom(seed);
    this.burst = BURSTS[random.nextInt(BURSTS.length)];
    this.bits = new BitSet(plan.cellCount());
    this.firstWaiter = new int[plan.cellCount()];
    Arrays.fill(firstWaiter, NONE);
    this.nextWaiter = new int[streams.size()];
    this.position = new int[streams.size()];
    this.modes = new Mode[streams.size()];
    Arrays.fill(modes, Mode.READY);
    this.calls = new Call[plan.plan().rankSize()];
    Arrays.fill(calls, Call.OPEN);
    this.expiry = new long[streams.size()];
    this.runnable = new int[streams.size()];
    this.mover = new Mover(memory);
  }

  PlanInterpreter.Outcome run() {
    for (int stream = 0; stream < runnable.length; stream++) {
      runnable[runnableCount++] = stream;
    }
    while (true) {
      while (timers.next() <= now) {
        fire(timers.take());
      }
      if (runnableCount == 0) {
        if (timers.next() == Long.MAX_VALUE) {
          return outcome();
        }
        now = timers.next();
        continue;
      }
      int slot = random.nextInt(runnableCount);
      if (!advance(runnable[slot], 1 + random.nextInt(burst))) {
        runnable[slot] = runnable[--runnableCount];
      }
    }
  }

  /** Runs some events of a stream; false if the stream is then done, waiting, held or stopped. */
  private boolean advance(int stream, int events) {
    FlatStream code = streams.get(stream);
    boolean hasFaults = faults.touches(stream);
    for (int i = 0; i < events && position[stream] < code.size() && now < timers.next(); i++) {
      int event = position[stream];
      if (modes[stream] != Mode.READY || (hasFaults && !meetFaults(stream, event))) {
        return false;
      }
      int sync = code.sync(event);
      if (FlatStream.isAwait(sync) && !take(stream, FlatStream.cell(sync))) {
        return false;
      }
      now++;
      lastEvent = now;
      position[stream]++;
      if (FlatStream.isPost(sync)) {
        post(stream, event, FlatStream.cell(sync));
      } else if (sync == FlatStream.DATA) {
        mover.move(code.plan(event), code.action(event));
      } else if (sync == FlatStream.BEGIN) {
        caller.enters(code.rank());
      } else if (sync == FlatStream.END) {
        calls[code.rank()] = Call.RETURNED;
        caller.returns(code.rank());
      }
    }
    return position[stream] < code.size() && modes[stream] == Mode.READY;
  }

  /** The step that is {@code steps} from now, limited to a step that no run reaches. */
  private long later(long steps) {
    return Math.min(steps, Long.MAX_VALUE - 1 - now) + now;
  }

  // ---- notifies

  /** Takes a signal, or waits for it. */
  private boolean take(int stream, int cell) {
    if (bits.get(cell)) {
      bits.clear(cell);
      return true;
    }
    nextWaiter[stream] = firstWaiter[cell];
    firstWaiter[cell] = stream;
    modes[stream] = Mode.WAITING;
    if (deadline < Long.MAX_VALUE) {
      expiry[stream] = timers.set(later(deadline), Timers.Kind.EXPIRE, stream);
    }
    return false;
  }

  private void post(int stream, int event, int cell) {
    if (faults.touches(stream)) {
      Fault.Duplicate twice = faults.take(stream, event, Fault.Duplicate.class);
      if (twice != null) {
        timers.set(later(twice.steps()), Timers.Kind.ARRIVE, cell);
      }
      if (faults.take(stream, event, Fault.Drop.class) != null) {
        return;
      }
    }
    if (bits.get(cell)) {
      FlatStream code = streams.get(stream);
      String text = code.describe(event) + " finds its notify still set: the signal is lost";
      findings.add(Rule.LOST_NOTIFY, code.origin(event), text);
      if (deadline < Long.MAX_VALUE && diagnosis == null) {
        poison(
            new Diagnosis(() -> new Diagnosis.Told(code.rank(), text, List.of(code.ref(event)))));
      }
    }
    signal(cell);
  }

  private void signal(int cell) {
    bits.set(cell);
    for (int waiter = firstWaiter[cell]; waiter != NONE; waiter = nextWaiter[waiter]) {
      if (modes[waiter] == Mode.WAITING) {
        makeReady(waiter);
      }
    }
    firstWaiter[cell] = NONE;
  }

  private void makeReady(int stream) {
    modes[stream] = Mode.READY;
    runnable[runnableCount++] = stream;
  }

  // ---- faults

  /** Applies the faults before an event; false if the stream cannot continue. */
  private boolean meetFaults(int stream, int event) {
    Fault.Delay delay = faults.take(stream, event, Fault.Delay.class);
    if (delay != null) {
      modes[stream] = Mode.HELD;
      timers.set(later(delay.steps()), Timers.Kind.WAKE, stream);
      return false;
    }
    if (faults.take(stream, event, Fault.Kill.class) != null) {
      int rank = streams.get(stream).rank();
      if (calls[rank] == Call.OPEN) {
        calls[rank] = Call.DEAD;
      }
      stop(rank);
      return false;
    }
    for (Fault.Fill fill = faults.take(stream, event, Fault.Fill.class);
        fill != null;
        fill = faults.take(stream, event, Fault.Fill.class)) {
      overwrite(fill.mem());
    }
    if (faults.take(stream, event, Fault.Raise.class) != null) {
      signal(FlatStream.cell(streams.get(stream).sync(event)));
    }
    return true;
  }

  /**
   * Overwrites memory. It has only the part that the plan touches; the rest needs no overwriting.
   */
  private void overwrite(DeviceMem mem) {
    MemorySegment whole = memory.mem(mem.rank(), mem.type());
    long from = Math.min(mem.offset(), whole.byteSize());
    long to = Math.min(mem.offset() + mem.size(), whole.byteSize());
    whole.asSlice(from, to - from).fill((byte) (TestData.mix(~seed) | 1));
  }

  private void fire(Timers.Timer timer) {
    switch (timer.kind()) {
      case WAKE -> {
        if (modes[timer.target()] == Mode.HELD) {
          makeReady(timer.target());
        }
      }
      case ARRIVE -> signal(timer.target());
      case EXPIRE -> {
        int stream = timer.target();
        boolean isWatched = calls[streams.get(stream).rank()] == Call.OPEN;
        if (isWatched && modes[stream] == Mode.WAITING && expiry[stream] == timer.number()) {
          String opening = "has waited for more than " + deadline + " steps";
          poison(suspects().follow(stream, opening));
        }
      }
    }
  }

  private Suspects suspects() {
    BitSet waiting = new BitSet();
    for (int stream = 0; stream < modes.length; stream++) {
      waiting.set(stream, modes[stream] == Mode.WAITING);
    }
    BitSet dead = new BitSet();
    for (int rank = 0; rank < calls.length; rank++) {
      dead.set(rank, calls[rank] == Call.DEAD);
    }
    return new Suspects(plan, position, waiting, dead);
  }

  /** Makes every rank that is inside its call fail with the same diagnosis. */
  private void poison(Diagnosis cause) {
    diagnosis = cause;
    for (int rank = 0; rank < calls.length; rank++) {
      if (calls[rank] == Call.OPEN) {
        calls[rank] = Call.FAILED;
        stop(rank);
        caller.fails(rank);
      }
    }
  }

  private void stop(int rank) {
    for (int stream = plan.mainStream(rank);
        stream < modes.length && streams.get(stream).rank() == rank;
        stream++) {
      modes[stream] = Mode.STOPPED;
    }
  }

  // ---- the end

  private PlanInterpreter.Outcome outcome() {
    boolean isComplete = true;
    for (int stream = 0; stream < position.length; stream++) {
      isComplete &= position[stream] == streams.get(stream).size();
    }
    if (isComplete) {
      for (int cell = bits.nextSetBit(0); cell >= 0; cell = bits.nextSetBit(cell + 1)) {
        findings.add(Rule.LEFT_OVER_NOTIFY, WaitGraph.describeLeftOver(plan, cell, 1));
      }
    } else if (deadline == Long.MAX_VALUE) {
      String text = new WaitGraph(plan, position).describe();
      boolean isConsequence = findings.has(Rule.LOST_NOTIFY);
      findings.add(
          isConsequence ? Rule.LOST_NOTIFY : Rule.DEADLOCK,
          isConsequence ? "after that signal was lost the run is stuck: " + text : text);
    }
    List<RankEnd> ends = new ArrayList<>();
    for (int rank = 0; rank < calls.length; rank++) {
      ends.add(end(rank));
    }
    return new PlanInterpreter.Outcome(isComplete, findings.toList(), ends, lastEvent);
  }

  private RankEnd end(int rank) {
    ActionRef stuckAt = null;
    for (int stream = plan.mainStream(rank);
        stream < modes.length && streams.get(stream).rank() == rank;
        stream++) {
      FlatStream code = streams.get(stream);
      if (stuckAt == null && modes[stream] != Mode.STOPPED && position[stream] < code.size()) {
        stuckAt = code.ref(position[stream]);
      }
    }
    return switch (calls[rank]) {
      case OPEN -> new RankEnd(rank, RankEnd.State.HUNG, null, stuckAt);
      case RETURNED -> new RankEnd(rank, RankEnd.State.COMPLETED, null, stuckAt);
      case FAILED -> new RankEnd(rank, RankEnd.State.FAILED, diagnosis, null);
      case DEAD -> new RankEnd(rank, RankEnd.State.DEAD, null, null);
    };
  }
}
