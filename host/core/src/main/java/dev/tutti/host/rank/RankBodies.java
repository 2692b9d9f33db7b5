package dev.tutti.host.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one body per rank on virtual threads and reports the end of each. */
final class RankBodies {

  private final int[] ranks;
  private final Listener listener;

  /**
   * Is notified of the end of each rank's body; {@code how} completes a sentence about the rank.
   */
  interface Listener {
    void depart(int rank, String how);
  }

  /**
   * Prepares the bodies.
   *
   * @param ranks the rank of each body
   */
  RankBodies(int[] ranks, Listener listener) {
    this.ranks = ranks;
    this.listener = listener;
  }

  /**
   * Runs the bodies and waits for all. Throws the first failure, with the others as suppressed
   * exceptions.
   *
   * @param handles the argument of each rank's body
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

  /** Bodies in languages other than Java may throw exceptions that they do not declare. */
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

  /** Adds a suppressed exception. If several bodies throw the same object, it is reported once. */
  @SuppressWarnings("ReferenceEquality")
  private static void suppress(Throwable thrown, @Nullable Throwable winner) {
    if (winner != null && winner != thrown) {
      winner.addSuppressed(thrown);
    }
  }

  /**
   * Waits for all threads; an interrupt does not end the wait, and the flag is set again after it.
   */
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
