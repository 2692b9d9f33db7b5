package dev.tutti.testkit.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running job with its threads: the one that runs it, and those that this one has started, which
 * are in its group. All but {@link #run} is for the one thread that waits for it.
 */
final class PlanningTask<T> extends FutureTask<@Nullable T> {

  private final AllocationMeter meter;
  private volatile @Nullable Thread thread;
  private volatile long bytesBefore;

  /** What each thread had allocated when it was looked at last; threads may have ended since. */
  private final Map<Long, Long> bytesByThread = new HashMap<>();

  PlanningTask(Callable<@Nullable T> call, AllocationMeter meter) {
    super(call);
    this.meter = meter;
  }

  @Override
  public void run() {
    Thread self = Thread.currentThread();
    bytesBefore = meter.bytes(self);
    thread = self;
    super.run();
    thread = null;
  }

  /** The live threads, the one that runs the job first; none if it has not begun or has ended. */
  private List<Thread> threads() {
    Thread main = thread;
    ThreadGroup group = main == null ? null : main.getThreadGroup();
    if (main == null || group == null) {
      return List.of();
    }
    Thread[] found = new Thread[group.activeCount() + 8];
    int count = group.enumerate(found);
    List<Thread> threads = new ArrayList<>(Arrays.asList(found).subList(0, count));
    threads.remove(main);
    threads.addFirst(main);
    return threads;
  }

  /** The bytes allocated so far; 0 if that is not known. */
  long bytes() {
    long base = bytesBefore;
    for (Thread each : threads()) {
      long bytes = meter.bytes(each);
      if (bytes > 0) {
        bytesByThread.put(each.threadId(), bytes);
      }
    }
    long sum = bytesByThread.values().stream().mapToLong(Long::longValue).sum();
    return Math.max(0, sum - Math.max(0, base));
  }

  /** The stack of a thread that is in the author's code, or else of the one that runs the job. */
  StackTraceElement[] stack() {
    StackTraceElement[] first = new StackTraceElement[0];
    for (Thread each : threads()) {
      StackTraceElement[] stack = each.getStackTrace();
      if (!StackLines.at(stack).isEmpty()) {
        return stack;
      }
      first = first.length == 0 ? stack : first;
    }
    return first;
  }

  /** Interrupts all threads and waits a little; whether the job then has ended, or never began. */
  boolean ends(long graceMs) throws InterruptedException {
    List<Thread> threads = threads();
    if (threads.isEmpty()) {
      return cancel(true) || isDone();
    }
    threads.forEach(Thread::interrupt);
    try {
      get(graceMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException | CancellationException e) {
      // Whatever it throws now is a consequence of the interrupt.
      return true;
    }
    return true;
  }

  /** Marks the threads as those that nobody waits for any more. */
  void abandon() {
    for (Thread each : threads()) {
      each.setName(each.getName() + " (abandoned)");
    }
  }
}
