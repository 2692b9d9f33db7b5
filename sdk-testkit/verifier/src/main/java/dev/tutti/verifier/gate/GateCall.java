package dev.tutti.verifier.gate;

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
 * One call through a gate, with its threads: the one that runs the body, and those that this one
 * has started, which are in its group.
 *
 * <p>Three kinds of threads meet here. The worker runs the body, writes the outcome, and counts the
 * latch down. The caller waits for the latch, reads the meters, and may ask for the end. Stop
 * points in any thread of the group read whether the end was requested. The lock of the call
 * decides which comes first, an outcome or the request to end it.
 */
final class GateCall<T> implements Runnable {

  private static final long LOOK_NANOS = 1_000_000;

  /**
   * What the threads of a call had used when they were last measured; they may have ended since.
   */
  private record Use(long nanos, long bytes) {}

  private final CallMeter meter;
  private final HeapMeter heap;
  private final CountDownLatch over = new CountDownLatch(1);
  private final long start = System.nanoTime();

  // ---- made before memory is short

  private final Outcome<T> lastResort =
      new Outcome.Stopped<>(Breach.OUT_OF_MEMORY, List.of(), false);

  /** The same for a call that goes on although it should end. */
  private final Outcome<T> lastResortLeft =
      new Outcome.Stopped<>(Breach.OUT_OF_MEMORY, List.of(), true);

  private final Supplier<List<StackTraceElement[]>> looking = this::stacks;
  private final Supplier<Boolean> interrupting = this::interrupt;
  private final Supplier<Boolean> measuring = this::measure;
  private final Supplier<Boolean> naming = this::nameAbandoned;

  // ---- state

  /** Only for the caller. */
  private final Map<Long, Use> uses = new HashMap<>();

  /** The sum of what its threads have used; read without memory of its own. Only for the caller. */
  private long nanosOfAll;

  private long bytesOfAll;

  /** Only for the caller; negative until it has looked. */
  private long heapBefore = -1;

  /** Only for the worker; null once it is done, because it holds the plugin. */
  private @Nullable Callable<@Nullable T> body;

  /** What the worker had used before; written before its group is. */
  private Use before = new Use(0, 0);

  /** Null before it begins, and once no thread works for it any more. */
  private volatile @Nullable CallGroup group;

  private volatile @Nullable Breach breach;
  private @Nullable OutOfMemoryError outOfMemory;

  /** The list of calls that must end, kept by {@link StopPoint} without memory of its own. */
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
      // Not even a copy of the throwable could be made.
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
      // The worker ends with it, so its group stays that of a call that must end.
      throw StopError.INSTANCE;
    }
  }

  private Outcome<T> attempt() {
    Callable<@Nullable T> work = body;
    if (work == null) {
      throw new IllegalStateException("a call runs once");
    }
    try {
      return new Outcome.Returned<>(work.call());
    } catch (Throwable t) {
      // Copied here, because the methods of the throwable may be the plugin's.
      return new Outcome.Threw<>(PluginFailure.of(t), t instanceof OutOfMemoryError);
    }
  }

  /** Whether the outcome counts, because the end of the call was not requested before. */
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

  /** Ends the call because the memory is used up; false if it has an outcome already. */
  boolean endsOutOfMemory(OutOfMemoryError error) {
    return end(Breach.OUT_OF_MEMORY, error);
  }

  /** Whether no thread works for it any more. */
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

  /** Spins until the end, for a short time; true if the call has ended. */
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

  /** Waits for the end; true if the call has ended. */
  boolean await(long nanos) throws InterruptedException {
    return over.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** The outcome, after an end that the caller has not requested. */
  synchronized Outcome<T> outcome() {
    return Objects.requireNonNull(outcome, "outcome");
  }

  /** The limit that is broken by now, or null. */
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

  /** Whether there was something to measure. */
  private boolean measure() {
    List<Thread> threads = threads();
    for (Thread each : threads) {
      long nanos = meter.processorNanos(each);
      long bytes = meter.bytes(each);
      // A thread that has just ended cannot be measured, so its last values stay.
      if (nanos >= 0 || bytes >= 0) {
        uses.put(each.threadId(), new Use(nanos, bytes));
      }
    }
    nanosOfAll = sum(Use::nanos);
    bytesOfAll = sum(Use::bytes);
    return !threads.isEmpty();
  }

  /** The processor time that was used at the last look. */
  long processorNanos() {
    return Math.max(0, nanosOfAll - Math.max(0, before.nanos()));
  }

  private long sum(ToLongFunction<Use> part) {
    return uses.values().stream().mapToLong(part).map(used -> Math.max(0, used)).sum();
  }

  /**
   * Ends the call: interrupts its threads and makes their stop points throw.
   *
   * @param graceNanos how much processor time they may use until then
   * @param graceWallNanos how long that may take
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
   * The memory that a call has used up is free only once the call ends, so this code must not
   * allocate until then.
   */
  private static <R> R orIfOutOfMemory(R otherwise, Supplier<R> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError | LinkageError e) {
      // A class that is first needed now cannot be initialised if memory is short.
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

  /** The live threads, the worker first if it lives; none if the call has not begun. */
  private List<Thread> threads() {
    CallGroup own = group;
    if (own == null) {
      return List.of();
    }
    Thread[] found = new Thread[own.activeCount() + 8];
    return List.of(Arrays.copyOf(found, own.enumerate(found)));
  }
}
