package dev.tutti.host.rank;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The end of an operation as a completion stage, in place of a wait of its rank. Any thread may ask
 * whether there is a stage; only the rank's thread makes and drops it.
 */
final class RankCompletion {

  private volatile @Nullable CompletableFuture<Void> told;

  /** Whether a stage is notified of the end, so that the rank itself does not wait for it. */
  boolean isTold() {
    return told != null;
  }

  /** Drops the stage, because the operation is started again. */
  void forget() {
    if (told != null) {
      told = null;
    }
  }

  /**
   * The current stage, or a new one.
   *
   * @param name the name of the thread that completes it
   * @param end waits for the operation and ends it
   */
  CompletionStage<Void> of(String name, Runnable end) {
    CompletableFuture<Void> stage = told;
    if (stage == null) {
      CompletableFuture<Void> made = new CompletableFuture<>();
      told = made;
      Thread.ofVirtual().name(name).start(() -> complete(made, end));
      stage = made;
    }
    return stage.minimalCompletionStage();
  }

  private static void complete(CompletableFuture<Void> stage, Runnable end) {
    Throwable failure = null;
    try {
      end.run();
    } catch (Throwable t) {
      failure = t;
    }
    if (failure == null) {
      stage.complete(null);
    } else {
      stage.completeExceptionally(failure);
    }
  }
}
