package dev.tutti.host.rank;

import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The calls that ranks are in, and the operations that they have started but not yet waited for.
 * Each rank is in one call at a time. Thread-safe, but only the thread of a rank may use the
 * operations that the rank has started.
 */
final class RankActivity {

  /** Words are two cache lines apart, because each rank's thread writes its own. */
  private static final int APART = 16;

  private static final long OUTSIDE = 0;
  private static final long INSIDE = 1;

  private final RankNames names;

  /** Whether each rank is in a call. */
  private final AtomicLongArray inCall;

  /**
   * The current or last call of each rank. Written only if it changes: some collectors mark each
   * write of a reference in a table whose cache lines the ranks' threads share.
   */
  private final AtomicReferenceArray<@Nullable RankPart> last;

  private final CallerThreads callers;
  private final List<Deque<Started>> open = new ArrayList<>();

  /** An operation that a rank has started. */
  interface Started {

    RankPart part();

    /** Ends the operation if it is over and no caller will wait for it; returns whether it did. */
    boolean endIfForsaken();

    /** Ends the operation because its rank has abandoned it, for the given reason. */
    void abandon(String reason);
  }

  /** Starts with no rank in a call. */
  RankActivity(RankNames names, int ranks) {
    this.names = names;
    this.inCall = new AtomicLongArray((ranks + 2) * APART);
    this.last = new AtomicReferenceArray<>(ranks);
    this.callers = new CallerThreads(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      open.add(new ArrayDeque<>());
    }
  }

  private static int at(int rank) {
    return (rank + 1) * APART;
  }

  /** Notes that a rank is in a call from now on. */
  @SuppressWarnings("ReferenceEquality") // the same call is the same object
  void enter(RankPart request) {
    int rank = request.call().rank();
    callers.note(rank);
    if (!inCall.compareAndSet(at(rank), OUTSIDE, INSIDE)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "%s is already in a call (%s of %s); a rank makes one call at a time, so wait for its end",
          names.name(rank),
          last.get(rank),
          names.name(rank));
    }
    if (last.getPlain(rank) != request) {
      last.set(rank, request);
    }
  }

  /** Notes that a rank is no longer in a call. */
  void leave(RankPart request) {
    inCall.setRelease(at(request.call().rank()), OUTSIDE);
  }

  /** The call that a rank is in; null if it is in none. */
  @Nullable RankPart of(int rank) {
    return inCall.get(at(rank)) == INSIDE ? last.get(rank) : null;
  }

  CallerThreads callers() {
    return callers;
  }

  /** Notes an operation that a rank has started and does not wait for yet. */
  void opened(Started request) {
    Deque<Started> own = open.get(request.part().call().rank());
    synchronized (own) {
      own.removeIf(Started::endIfForsaken);
      own.add(request);
    }
  }

  /** Removes an operation whose end its rank has seen. */
  void closed(Started request) {
    Deque<Started> own = open.get(request.part().call().rank());
    synchronized (own) {
      boolean ignored = own.remove(request);
    }
  }

  /** The operations that a rank has started but not yet waited for, in order. */
  List<Started> open(int rank) {
    Deque<Started> own = open.get(rank);
    synchronized (own) {
      return List.copyOf(own);
    }
  }
}
