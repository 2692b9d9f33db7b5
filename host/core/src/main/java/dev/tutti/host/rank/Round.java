package dev.tutti.host.rank;

import dev.tutti.engine.Cancellation;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * One meeting at a {@link Rendezvous} and how it ended. The failure is written before, and read
 * after, {@code isOver}.
 */
final class Round implements Cancellation {

  private static final int NOBODY = -1;

  private final long number;
  private @Nullable TuttiException failure;
  private volatile boolean isOver;

  /** Written, if somebody wants to know, by the rank that came last, before the end. */
  private long metNanos;

  private int lastRank = NOBODY;
  private @Nullable RunFacts facts;
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

  /** Notes that all have come. */
  void met(int byRank, long atNanos) {
    lastRank = byRank;
    metNanos = atNanos;
  }

  /** Notes what is run for all. */
  void runs(RunFacts newFacts) {
    facts = newFacts;
  }

  /** When the last one came, by the clock of the host; 0 if that is not known. */
  long metNanos() {
    return metNanos;
  }

  /** Who came last; -1 if that is not known. */
  int lastRank() {
    return lastRank;
  }

  /** What was run; null if nothing was, or it is not known. */
  @Nullable RunFacts facts() {
    return facts;
  }

  @Nullable TuttiException failure() {
    return failure;
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
