package dev.tutti.host.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one body per rank on virtual threads and says when each of them has ended. */
final class RankBodies {

  private final int[] ranks;
  private final Listener listener;

  /** Told that a rank's body has ended, and how: the end of a sentence about the rank. */
  interface Listener {
    void depart(int rank, String how);
  }

  /**
   * Bodies to be run.
   *
   * @param ranks the rank of each
   */
  RankBodies(int[] ranks, Listener listener) {
    this.ranks = ranks;
    this.listener = listener;
  }

  /**
   * Runs the bodies and waits for all; the first failure is thrown, the others are suppressed.
   *
   * @param handles what the body of each rank gets
   */
  <H> void run(List<H> handles, Consumer<H> body) {
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>(handles.size());
    for (int i = 0; i < handles.size(); i++) {
      int rank = ranks[i];
      H handle = handles.get(i);
      threads.add(
          Thread.ofVirtual()
              .name("tutti-rank-" + rank)
              .start(() -> run(rank, () -> body.accept(handle), first)));
    }
    join(threads);
    Throwable thrown = first.get();
    if (thrown != null) {
      RankBodies.<RuntimeException>rethrow(thrown);
    }
  }

  /** Bodies in other languages than Java may throw what they do not declare. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private void run(int rank, Runnable body, AtomicReference<@Nullable Throwable> first) {
    String how = " has ended its body without this call";
    try {
      body.run();
    } catch (Throwable t) {
      how = " has ended its body with " + t;
      if (!first.compareAndSet(null, t)) {
        suppress(t, first.get());
      }
    } finally {
      listener.depart(rank, how);
    }
  }

  /** One error thrown by several bodies is reported once. */
  @SuppressWarnings("ReferenceEquality")
  private static void suppress(Throwable thrown, @Nullable Throwable winner) {
    if (winner != null && winner != thrown) {
      winner.addSuppressed(thrown);
    }
  }

  /** Waits for all threads; an interrupt is kept for the caller. */
  private static void join(List<Thread> threads) {
    boolean wasInterrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
