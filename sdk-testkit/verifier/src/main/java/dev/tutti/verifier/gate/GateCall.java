package dev.tutti.verifier.gate;

import dev.tutti.plan.work.Work;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One call through a gate, with its threads: the worker, and the threads that it has started, which
 * are in its group.
 *
 * <p>Three kinds of threads use a call. The worker runs the body, writes the outcome, and counts
 * the latch down. The caller waits for the latch, reads the meters, and may request the end. Stop
 * points in any thread of the group read whether the end was requested. The lock of the call
 * decides which comes first, an outcome or the request to end it.
 */
final class GateCall<T> implements Runnable {

  private static final long LOOK_NANOS = 1_000_000;

  /** What a thread of a call had used when it was last measured; it may have ended since. */
  private record Use(long nanos, long bytes) {}

  private final CallMeter meter;
  private final HeapMeter heap;
  private final CountDownLatch over = new CountDownLatch(1);
  private final long start = System.nanoTime();

  /** The caller's work, of which this call is a part. */
  private final Work work = Work.current();

  // ---- allocated while there is memory

  private final Outcome<T> lastResort =
      new Outcome.Stopped<>(Breach.OUT_OF_MEMORY, List.of(), false);

  /** The same for a call that could not be stopped. */
  private final Outcome<T> lastResortLeft =
      new Outcome.Stopped<>(Breach.OUT_OF_MEMORY, List.of(), true);

  private final Supplier<List<StackTraceElement[]>> looking = this::stacks;
  private final Supplier<Boolean> interrupting = this::interrupt;
  private final Supplier<Boolean> measuring = this::measure;
  private final Supplier<Boolean> naming = this::nameAbandoned;

  // ---- state

  /** Used by the caller only. */
  private final Map<Long, Use> uses = new HashMap<>();

  /** What the threads have used in all; reading it allocates nothing. Used by the caller only. */
  private long nanosOfAll;

  private long bytesOfAll;

  /** Used by the caller only; negative until the first check of the limits. */
  private long heapBefore = -1;

  /** Used by the worker only. Null once it has run, because it references the plugin. */
  private @Nullable Callable<@Nullable T> body;

  /** What the worker thread had used before this call; written before {@link #group}. */
  private Use before = new Use(0, 0);

  /** Null before the call begins, and after its last thread has ended. */
  private volatile @Nullable CallGroup group;

  private volatile @Nullable Breach breach;
  private @Nullable OutOfMemoryError outOfMemory;

  /**
   * The next call in {@link StopPoint}'s list of calls that must end; such a list needs no
   * allocation.
   */
  @Nullable GateCall<?> nextEnding;

  private @Nullable Outcome<T> outcome;

  GateCall(Callable<@Nullable T> body, CallMeter meter, HeapMeter heap) {
    this.body = body;
    this.meter = meter;
    this.heap = heap;
  }

  // ---- the worker

  @Override
  public void run() {
    Thread self = Thread.currentThread();
    CallGroup own = (CallGroup) self.getThreadGroup();
    before = new Use(meter.processorNanos(self), meter.bytes(self));
    own.workFor(this);
    group = own;
    boolean isFree = false;
    try {
      self.setContextClassLoader(null);
      isFree = finish(attempt());
    } catch (Throwable t) {
      // Even copying the throwable failed.
      isFree = finish(lastResort);
    } finally {
      body = null;
      if (isFree) {
        own.workFor(null);
        group = null;
      }
      over.countDown();
    }
    if (!isFree) {
      // The error ends the worker, so its group is never used for another call.
      throw StopError.INSTANCE;
    }
  }

  private Outcome<T> attempt() {
    Callable<@Nullable T> code = body;
    if (code == null) {
      throw new IllegalStateException("a call runs once");
    }
    try (Work _ = work.continueHere()) {
      return new Outcome.Returned<>(code.call());
    } catch (Throwable t) {
      // Copied on this thread, because the throwable's methods may be the plugin's.
      return new Outcome.Threw<>(PluginFailure.of(t), t instanceof OutOfMemoryError);
    }
  }

  /** Sets the outcome, unless the end of the call was requested before; true if it counts. */
  private synchronized boolean finish(Outcome<T> result) {
    if (breach == null) {
      outcome = result;
      return true;
    }
    OutOfMemoryError error = outOfMemory;
    if (error != null) {
      outOfMemory = null;
      outcome = lastResort;
      List<StackTraceElement[]> stacks = Collections.singletonList(error.getStackTrace());
      outcome = new Outcome.Stopped<>(Breach.OUT_OF_MEMORY, stacks, false);
    }
    return false;
  }

  // ---- stop points

  boolean isEnding() {
    return breach != null;
  }

  /** Ends the call because the memory is used up; false if the call already has an outcome. */
  boolean endsOutOfMemory(OutOfMemoryError error) {
    return end(Breach.OUT_OF_MEMORY, error);
  }

  /** Whether all threads of the call have ended or left it. */
  boolean hasNoThreads() {
    CallGroup own = group;
    return own == null || own.activeCount() == 0;
  }

  // ---- the caller

  private boolean end(Breach broken, @Nullable OutOfMemoryError error) {
    synchronized (this) {
      if (outcome != null) {
        return false;
      }
      if (breach == null) {
        outOfMemory = error;
        breach = broken;
        StopPoint.end(this);
      }
    }
    return true;
  }

  /** Spins until the call ends, for a short time; true if it has ended. */
  boolean isOverWithin(long nanos) {
    long begin = System.nanoTime();
    while (over.getCount() > 0) {
      if (System.nanoTime() - begin > nanos) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /** Waits until the call ends; true if it has ended. */
  boolean await(long nanos) throws InterruptedException {
    return over.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** The outcome of a call that ended before the caller requested its end. */
  synchronized Outcome<T> outcome() {
    return Objects.requireNonNull(outcome, "outcome");
  }

  /** The limit that the call has broken so far, or null. */
  @Nullable Breach breachOf(GateLimits limits) {
    boolean _ = measure();
    long nanos = processorNanos();
    long bytes = Math.max(0, bytesOfAll - Math.max(0, before.bytes()));
    long wall = System.nanoTime() - start;
    if (bytes > limits.bytes()) {
      return Breach.ofAllocation(limits.bytes());
    }
    heapBefore = heapBefore < 0 ? heap.used() : heapBefore;
    if (heap.isFilledBy(heapBefore, bytes)) {
      return Breach.ofHeap(heap.used(), heap.size());
    }
    if (!meter.countsTime()) {
      return wall > limits.processorTime().toNanos()
          ? Breach.ofUncountedTime(limits.processorTime())
          : null;
    }
    if (nanos > limits.processorTime().toNanos()) {
      return Breach.ofProcessorTime(limits.processorTime());
    }
    return wall > limits.wallTime().toNanos() ? Breach.ofWallClock(limits.wallTime(), nanos) : null;
  }

  /** Measures the live threads; false if there are none. */
  private boolean measure() {
    List<Thread> threads = threads();
    for (Thread each : threads) {
      long nanos = meter.processorNanos(each);
      long bytes = meter.bytes(each);
      // A thread that has just ended cannot be measured, so its last values are kept.
      if (nanos >= 0 || bytes >= 0) {
        uses.put(each.threadId(), new Use(nanos, bytes));
      }
    }
    nanosOfAll = sum(Use::nanos);
    bytesOfAll = sum(Use::bytes);
    return !threads.isEmpty();
  }

  /** The processor time that the call had used at the last measurement. */
  long processorNanos() {
    return Math.max(0, nanosOfAll - Math.max(0, before.nanos()));
  }

  private long sum(ToLongFunction<Use> part) {
    return uses.values().stream().mapToLong(part).map(used -> Math.max(0, used)).sum();
  }

  /**
   * Ends the call: interrupts its threads and makes their stop points throw.
   *
   * @param graceNanos the processor time that the threads may use to end
   * @param graceWallNanos the wall time that this may take
   */
  Outcome<T> stop(Breach broken, long graceNanos, long graceWallNanos) throws InterruptedException {
    List<StackTraceElement[]> stacks = orIfOutOfMemory(List.of(), looking);
    if (!end(broken, null)) {
      over.await();
      return outcome();
    }
    boolean _ = orIfOutOfMemory(false, interrupting);
    long used = processorNanos();
    long asked = System.nanoTime();
    boolean isOver = await(1);
    while (!isOver
        && processorNanos() - used < graceNanos
        && System.nanoTime() - asked < graceWallNanos) {
      isOver = await(LOOK_NANOS);
      boolean _ = orIfOutOfMemory(false, measuring);
      isOver |= !meter.countsTime() && System.nanoTime() - asked > graceNanos;
    }
    StopPoint.forgetEnded();
    boolean isLeft = over.getCount() > 0;
    if (isLeft) {
      boolean _ = orIfOutOfMemory(false, naming);
    }
    try {
      return new Outcome.Stopped<>(broken, stacks, isLeft);
    } catch (OutOfMemoryError e) {
      return isLeft ? lastResortLeft : lastResort;
    }
  }

  private boolean nameAbandoned() {
    threads().forEach(each -> each.setName(each.getName() + " (abandoned)"));
    return true;
  }

  /**
   * Runs work that may fail because a call has used up the memory, which is freed only when the
   * call ends. Returns {@code otherwise} if it fails.
   */
  private static <R> R orIfOutOfMemory(R otherwise, Supplier<R> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError | LinkageError e) {
      // A class that is needed for the first time cannot be initialised if memory is short.
      return otherwise;
    }
  }

  private List<StackTraceElement[]> stacks() {
    return threads().stream().map(Thread::getStackTrace).toList();
  }

  private boolean interrupt() {
    List<Thread> threads = threads();
    threads.forEach(Thread::interrupt);
    return !threads.isEmpty();
  }

  /** The live threads, the worker first if it is alive; none if the call has not begun. */
  private List<Thread> threads() {
    CallGroup own = group;
    if (own == null) {
      return List.of();
    }
    Thread[] found = new Thread[own.activeCount() + 8];
    return List.of(Arrays.copyOf(found, own.enumerate(found)));
  }
}
