package dev.tutti.mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Computes the parts of a table on several threads. */
final class TableTasks {

  private TableTasks() {}

  /** Runs all tasks. After a failure, no further tasks start. */
  static void run(List<Runnable> tasks, int threads) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Runnable work =
        () -> {
          for (int i = next.getAndIncrement();
              i < tasks.size() && failure.get() == null;
              i = next.getAndIncrement()) {
            try {
              tasks.get(i).run();
            } catch (RuntimeException | Error e) {
              failure.compareAndSet(null, e);
            }
          }
        };
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().name("mutants-" + i).start(work));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("the mutants could not be judged: " + thrown, thrown);
    }
  }
}
