package dev.tutti.host.rank;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One operation of each rank of this process, which one thread starts and waits for together. Not
 * thread-safe, except for {@link #cancel} and {@link #isRunning}.
 */
final class RankOperations {

  /** By place, in an array, so that runs allocate nothing. */
  private final RankOperation[] all;

  /** Makes operations of these ranks; at least one. */
  RankOperations(List<RankOperation> all) {
    this.all = all.toArray(RankOperation[]::new);
  }

  /** Starts the operations of all ranks; if one cannot start, none continues. */
  void start() {
    if (isRunning()) {
      // Throws the error of a second start.
      Stream.of(all).filter(RankOperation::isRunning).forEach(RankOperation::start);
      return;
    }
    TuttiException failure = null;
    for (RankOperation each : all) {
      try {
        each.start();
      } catch (TuttiException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      for (RankOperation each : all) {
        each.abandon("another rank of the process could not start its part");
      }
      throw failure;
    }
  }

  /** As {@link RankOperation#await()}, for all ranks. */
  void await() {
    await(RankOperation::await);
  }

  /** As {@link RankOperation#await(Duration)}, for all ranks. */
  void await(Duration deadline) {
    await(each -> each.await(deadline));
  }

  /**
   * Waits for all. The operation of the first rank ends last, because its end copies results back.
   */
  private void await(Consumer<RankOperation> wait) {
    if (!isRunning()) {
      wait.accept(all[0]);
      return;
    }
    TuttiException failure = null;
    for (int at = all.length - 1; at >= 0; at--) {
      RankOperation each = all[at];
      if (each.isRunning()) {
        failure = failureOf(each, wait, failure);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static @Nullable TuttiException failureOf(
      RankOperation each, Consumer<RankOperation> wait, @Nullable TuttiException before) {
    try {
      wait.accept(each);
      return before;
    } catch (TuttiException e) {
      if (each.isRunning()) {
        throw e;
      }
      return before == null ? e : before;
    }
  }

  /** Whether the operations of all ranks are complete. */
  boolean test() {
    if (!isRunning()) {
      return all[0].test();
    }
    TuttiException failure = null;
    boolean isOver = true;
    for (int at = all.length - 1; at >= 0; at--) {
      RankOperation each = all[at];
      try {
        isOver &= !each.isRunning() || each.test();
      } catch (TuttiException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return isOver;
  }

  /** Starts the operations and waits for their ends. */
  void run() {
    if (all.length == 1) {
      all[0].run();
    } else {
      start();
      await();
    }
  }

  /** Runs the operations; an interrupt does not end them. */
  void runUninterruptibly() {
    boolean wasInterrupted = Thread.interrupted();
    try {
      start();
      while (isRunning()) {
        try {
          await();
        } catch (TuttiException e) {
          if (e.code() != ErrorCode.INTERRUPTED) {
            throw e;
          }
          wasInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Cancels the operations on all ranks of the group; any thread may call this. */
  boolean cancel() {
    return all[0].cancel();
  }

  /** Whether there is a start whose end has not been observed yet. */
  boolean isRunning() {
    for (RankOperation each : all) {
      if (each.isRunning()) {
        return true;
      }
    }
    return false;
  }
}
