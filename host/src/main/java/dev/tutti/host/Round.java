package dev.tutti.host;

import dev.tutti.host.engine.Cancellation;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * One meeting at a {@link Rendezvous} and how it ended. The failure is written before, and read
 * after, {@code isOver}.
 */
final class Round implements Cancellation {

  private final long number;
  private @Nullable TuttiException failure;
  private volatile boolean isOver;
  private volatile boolean isCancelRequested;

  Round(long number) {
    this.number = number;
  }

  /** Which operation of its meeting place this is; the first is 1. */
  long number() {
    return number;
  }

  boolean isOver() {
    return isOver;
  }

  /** Writes the outcome down; once. */
  void end(@Nullable TuttiException outcome) {
    failure = outcome;
    isOver = true;
  }

  /** Throws the outcome of a round that is over, if it failed; a copy, as every rank throws it. */
  void throwFailure() {
    TuttiException outcome = failure;
    if (outcome != null) {
      throw new TuttiException(outcome.code(), outcome, "%s", outcome.getMessage());
    }
  }

  void requestCancel() {
    isCancelRequested = true;
  }

  @Override
  public boolean isRequested() {
    return isCancelRequested;
  }
}
