package dev.tutti.host.rank;

import dev.tutti.sdk.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The reasons why ranks make no more calls: their bodies have ended. Thread-safe. */
final class RankExits {

  private final AtomicReferenceArray<@Nullable RankExit> exits;
  private final AtomicLong order = new AtomicLong();

  /**
   * Written after an exit is stored, and read after the start of an operation that could wait for
   * the rank.
   */
  private volatile boolean areThereAny;

  /** Starts with all ranks able to make calls. */
  RankExits(int ranks) {
    this.exits = new AtomicReferenceArray<>(ranks);
  }

  /** Notes that a rank makes no more calls. */
  void add(int rank, ErrorCode code, String reason) {
    exits.set(rank, new RankExit(order.getAndIncrement(), code, reason));
    areThereAny = true;
  }

  boolean areThereAny() {
    return areThereAny;
  }

  /** The reason why a rank makes no more calls; null if it may make calls. */
  @Nullable RankExit of(int rank) {
    return exits.get(rank);
  }

  /** Lets some ranks make calls again. */
  void forgetAll(IntPredicate which) {
    areThereAny = false;
    boolean isAnyLeft = false;
    for (int rank = 0; rank < exits.length(); rank++) {
      if (which.test(rank)) {
        exits.set(rank, null);
      }
      isAnyLeft |= exits.get(rank) != null;
    }
    if (isAnyLeft) {
      areThereAny = true;
    }
  }
}
