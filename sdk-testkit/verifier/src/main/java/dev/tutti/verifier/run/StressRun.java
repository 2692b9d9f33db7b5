package dev.tutti.verifier.run;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.WaitGraph;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One run of a plan on threads. */
final class StressRun {

  /*
   * A cell is an int that is 0 or 1. A post swaps in 1, and an await swaps 1 for 0. So everything
   * before the post is visible after the await, and nothing else orders the streams. As in an
   * engine, data is accessed without any ordering of its own.
   *
   * Each stream publishes its position, one past its last event, in a slot that only this stream
   * writes. From time to time, the thread that started the run adds up the slots. If the sum stays
   * the same for as long as the deadline, it stops all streams. A stream checks the stop flag only
   * while it waits, because actions always end. So all threads end, and the run waits for them.
   *
   * A stream that waits for longer leaves its thread with the cell and parks. It checks the cell
   * once more after it has left the thread there, and a post looks for a thread after it has set
   * the cell. So one of the two sees the other. If two streams wait for one cell, they wake each
   * other in turn.
   */
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle WAITERS = MethodHandles.arrayElementVarHandle(Thread[].class);
  private static final int SPINS = 20;
  private static final long POLL_NS = 20_000_000;

  private final FlatPlan plan;
  private final List<FlatStream> streams;
  private final GroupMemory memory;
  private final Caller caller;
  private final long seed;
  private final Object @Nullable [] locks;

  private final int[] cells;
  private final int[] position;
  private final @Nullable Thread[] waiters;
  private final Thread[] threads;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch running;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Findings findings = new Findings();
  private volatile boolean isStopped;

  StressRun(FlatPlan plan, GroupMemory memory, Caller caller, long seed, boolean isAtomic) {
    this.plan = plan;
    this.streams = plan.streams();
    this.memory = memory;
    this.caller = caller;
    this.seed = seed;
    this.cells = new int[plan.cellCount()];
    this.position = new int[streams.size()];
    this.waiters = new Thread[cells.length];
    this.threads = new Thread[streams.size()];
    this.running = new CountDownLatch(streams.size());
    this.locks = isAtomic ? new Object[plan.memoryCount()] : null;
    for (int memoryId = 0; locks != null && memoryId < locks.length; memoryId++) {
      locks[memoryId] = new Object();
    }
  }

  PlanInterpreter.Outcome run(boolean onPlatformThreads, Duration deadline) {
    for (int stream = 0; stream < position.length; stream++) {
      int number = stream;
      String name = "stress " + streams.get(stream).name();
      Thread.Builder builder =
          onPlatformThreads ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      threads[stream] = builder.name(name).start(() -> runStream(number));
    }
    started.countDown();
    InterruptedException interrupt = awaitProgress(deadline.toNanos());
    stop();
    interrupt = awaitEnd(interrupt);
    if (interrupt != null) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.RUN_FAILED, interrupt, "the run of %s was interrupted", plan.plan().name());
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new TuttiException(
          ErrorCode.RUN_FAILED, thrown, "a stream of %s failed: %s", plan.plan().name(), thrown);
    }
    return outcome(deadline);
  }

  /** Waits until all streams are done or none makes progress; returns the interrupt, if any. */
  private @Nullable InterruptedException awaitProgress(long deadlineNs) {
    long sum = -1;
    long since = System.nanoTime();
    try {
      while (!running.await(Math.min(POLL_NS, deadlineNs), TimeUnit.NANOSECONDS)) {
        long next = 0;
        for (int stream = 0; stream < position.length; stream++) {
          next += (int) INTS.getOpaque(position, stream);
        }
        if (next != sum) {
          sum = next;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > deadlineNs) {
          return null;
        }
      }
      return null;
    } catch (InterruptedException e) {
      return e;
    }
  }

  /**
   * Waits until all threads have ended, even after interrupts: they must not touch memory after the
   * run.
   */
  private @Nullable InterruptedException awaitEnd(@Nullable InterruptedException interrupt) {
    InterruptedException last = interrupt;
    while (true) {
      try {
        running.await();
        return last;
      } catch (InterruptedException e) {
        last = e;
      }
    }
  }

  private void runStream(int stream) {
    try {
      started.await();
      runEvents(stream);
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      stop();
    } finally {
      running.countDown();
    }
  }

  private void runEvents(int stream) {
    FlatStream code = streams.get(stream);
    Mover mover = new Mover(memory);
    SplittableRandom random = new SplittableRandom(seed * 31 + stream);
    for (int event = 0; event < code.size(); event++) {
      dawdle(random);
      int sync = code.sync(event);
      if (FlatStream.isAwait(sync)) {
        if (!await(FlatStream.cell(sync))) {
          return;
        }
      } else if (FlatStream.isPost(sync)) {
        post(code, event, FlatStream.cell(sync));
      } else if (sync == FlatStream.DATA) {
        move(mover, code, event);
      } else if (sync == FlatStream.BEGIN) {
        caller.enters(code.rank());
      } else if (sync == FlatStream.END) {
        caller.returns(code.rank());
      }
      INTS.setOpaque(position, stream, event + 1);
    }
  }

  /** Sometimes lets other streams overtake. */
  @SuppressWarnings("ThreadPriorityCheck") // It is only a hint to the scheduler.
  private static void dawdle(SplittableRandom random) {
    int dice = random.nextInt(64);
    if (dice == 0) {
      Thread.yield();
    } else if (dice < 8) {
      for (int i = 0; i < dice * 40; i++) {
        Thread.onSpinWait();
      }
    }
  }

  private boolean await(int cell) {
    for (int tries = 0; tries < SPINS; tries++) {
      if (INTS.compareAndSet(cells, cell, 1, 0)) {
        return true;
      }
      Thread.onSpinWait();
    }
    Thread own = Thread.currentThread();
    while (true) {
      Thread other = (Thread) WAITERS.getAndSet(waiters, cell, own);
      if (INTS.compareAndSet(cells, cell, 1, 0)) {
        WAITERS.compareAndSet(waiters, cell, own, null);
        wake(other);
        return true;
      }
      if (isStopped) {
        return false;
      }
      if (!own.equals(other)) {
        wake(other);
      }
      LockSupport.park(this);
    }
  }

  private static void wake(@Nullable Thread thread) {
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void stop() {
    isStopped = true;
    for (Thread thread : threads) {
      wake(thread);
    }
  }

  private void post(FlatStream code, int event, int cell) {
    boolean isLost = (int) INTS.getAndSet(cells, cell, 1) == 1;
    wake((Thread) WAITERS.getVolatile(waiters, cell));
    if (isLost) {
      synchronized (findings) {
        findings.add(
            Rule.LOST_NOTIFY,
            code.origin(event),
            code.describe(event) + " finds its notify still set: the signal is lost");
      }
    }
  }

  private void move(Mover mover, FlatStream code, int event) {
    int action = code.action(event);
    var own = code.plan(event);
    if (locks == null) {
      mover.move(own, action);
      return;
    }
    synchronized (locks[plan.memory(own.dstRank(action), own.dstType(action))]) {
      mover.move(own, action);
    }
  }

  // ---- the end; all threads have ended

  private PlanInterpreter.Outcome outcome(Duration deadline) {
    long steps = 0;
    BitSet waiting = new BitSet();
    for (int stream = 0; stream < position.length; stream++) {
      steps += position[stream];
      waiting.set(stream, position[stream] < streams.get(stream).size());
    }
    boolean isComplete = waiting.isEmpty();
    Diagnosis diagnosis = null;
    if (isComplete) {
      for (int cell = 0; cell < cells.length; cell++) {
        if (cells[cell] != 0) {
          findings.add(Rule.LEFT_OVER_NOTIFY, WaitGraph.describeLeftOver(plan, cell, 1));
        }
      }
    } else {
      int first = waiting.nextSetBit(0);
      diagnosis =
          new Suspects(plan, position, waiting, new BitSet())
              .follow(first, "has waited for more than " + deadline.toMillis() + " ms");
      Rule rule = findings.has(Rule.LOST_NOTIFY) ? Rule.LOST_NOTIFY : Rule.DEADLOCK;
      findings.add(rule, diagnosis.message());
    }
    List<RankEnd> ends = new ArrayList<>();
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      ends.add(end(rank, diagnosis));
    }
    return new PlanInterpreter.Outcome(isComplete, findings.toList(), ends, steps);
  }

  private RankEnd end(int rank, @Nullable Diagnosis diagnosis) {
    int main = plan.mainStream(rank);
    if (position[main] < streams.get(main).size()) {
      caller.fails(rank);
      return new RankEnd(rank, RankEnd.State.FAILED, diagnosis, null);
    }
    for (int slave = main + 1;
        slave < position.length && streams.get(slave).rank() == rank;
        slave++) {
      if (position[slave] < streams.get(slave).size()) {
        return new RankEnd(
            rank, RankEnd.State.COMPLETED, null, streams.get(slave).ref(position[slave]));
      }
    }
    return new RankEnd(rank, RankEnd.State.COMPLETED, null, null);
  }
}
