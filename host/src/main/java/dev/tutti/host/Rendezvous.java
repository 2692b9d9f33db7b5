package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where several ranks meet, round after round: the last one to arrive acts for all, the others wait
 * and get the same outcome.
 *
 * <p>Arrivals and outcomes change under the lock, which is never held while somebody acts. A waiter
 * holds on to the round it arrived in and polls that round's {@code isOver}, which is written after
 * its outcome; so whatever later rounds do, it gets the outcome of its own. A waiter parks only
 * after it has put itself into {@code parked} and looked once more, and who ends a round looks into
 * {@code parked} afterwards, so no wake-up is lost.
 */
final class Rendezvous {

  private static final int SPINS = 200;
  private static final int YIELDS = 50;

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable RankCall[] calls;
  private final AtomicReferenceArray<Thread> parked;
  private final Host host;
  private int arrived;
  private Round current = new Round();

  /** One round and how it ended; the failure is written before, and read after, isOver. */
  private static final class Round {
    private @Nullable TuttiException failure;
    private volatile boolean isOver;
  }

  /** What the place needs to know and to have done. */
  interface Host {

    /** Acts for all, in the thread that arrived last. */
    void act(List<RankCall> calls);

    /** Why a place can never be taken in this round, or null. */
    @Nullable Departure whyAbsent(int place);

    /** The error of those whose wait passed its deadline. */
    TuttiException expired(RankCall waiting, List<Integer> missing, long nanos);

    /** Ends the group; called without the lock. */
    void poison(String cause);

    /** Refuses a group that is closed or poisoned. */
    void requireUsable();
  }

  Rendezvous(int places, Host host) {
    this.calls = new RankCall[places];
    this.parked = new AtomicReferenceArray<>(places);
    this.host = host;
  }

  /**
   * Arrives, and returns when all have arrived and one of them has acted.
   *
   * @param place this rank's place
   * @param call its part
   * @param nanos the longest time to wait for the others
   * @throws TuttiException what acting threw, or why the round ended without it
   */
  void meet(int place, RankCall call, long nanos) {
    Round round;
    boolean isLast;
    lock.lock();
    try {
      host.requireUsable();
      round = current;
      calls[place] = call;
      arrived++;
      isLast = arrived == calls.length;
      if (!isLast) {
        endIfSomebodyIsAbsent();
      }
    } finally {
      lock.unlock();
    }
    if (isLast) {
      act();
    } else {
      await(place, call, round, nanos);
    }
    TuttiException outcome = round.failure;
    if (outcome != null) {
      throw new TuttiException(outcome.code(), outcome, "%s", outcome.getMessage());
    }
  }

  private void act() {
    TuttiException outcome = null;
    try {
      List<RankCall> all = new ArrayList<>(calls.length);
      for (RankCall each : calls) {
        if (each != null) {
          all.add(each);
        }
      }
      host.act(all);
    } catch (TuttiException e) {
      outcome = e;
    } catch (RuntimeException | Error e) {
      outcome = new TuttiException(ErrorCode.RUN_FAILED, e, "the call failed: %s", e);
    }
    end(outcome);
  }

  /** Spins, yields and parks, each for longer than the one before. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint; progress does not depend on it
  private void await(int place, RankCall call, Round round, long nanos) {
    for (int i = 0; i < SPINS && !round.isOver; i++) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < YIELDS && !round.isOver; i++) {
      Thread.yield();
    }
    if (!round.isOver) {
      park(place, call, round, nanos);
    }
  }

  private void park(int place, RankCall call, Round round, long nanos) {
    long end = System.nanoTime() + nanos;
    boolean wasInterrupted = false;
    parked.set(place, Thread.currentThread());
    while (!round.isOver) {
      long left = end - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else if (expire(call, round, nanos)) {
        break;
      } else {
        // All have arrived: the run has a deadline of its own.
        LockSupport.parkNanos(this, nanos);
      }
      wasInterrupted |= Thread.interrupted();
    }
    parked.set(place, null);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the round because its deadline passed; not if all have arrived in the meantime. */
  private boolean expire(RankCall call, Round round, long nanos) {
    List<Integer> missing = new ArrayList<>();
    TuttiException expired;
    lock.lock();
    try {
      if (round.isOver) {
        return true;
      }
      if (arrived == calls.length) {
        return false;
      }
      for (int i = 0; i < calls.length; i++) {
        if (calls[i] == null) {
          missing.add(i);
        }
      }
      expired = host.expired(call, missing, nanos);
      end(expired);
    } finally {
      lock.unlock();
    }
    host.poison(String.valueOf(expired.getMessage()));
    return true;
  }

  /** Ends the round if somebody waits for a rank that will never come; the first to go is named. */
  void endIfSomebodyIsAbsent() {
    lock.lock();
    try {
      Departure first = null;
      for (int i = 0; i < calls.length && isWaiting(); i++) {
        Departure departure = calls[i] == null ? host.whyAbsent(i) : null;
        if (departure != null && (first == null || departure.order() < first.order())) {
          first = departure;
        }
      }
      if (first != null) {
        end(new TuttiException(ErrorCode.INVALID_STATE, "%s", first.reason()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the round if somebody waits, with the error of a group that is closed or poisoned. */
  void endIfUnusable() {
    lock.lock();
    try {
      if (isWaiting()) {
        try {
          host.requireUsable();
        } catch (TuttiException e) {
          end(e);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isWaiting() {
    return arrived > 0 && arrived < calls.length;
  }

  private void end(@Nullable TuttiException outcome) {
    lock.lock();
    try {
      Arrays.fill(calls, null);
      arrived = 0;
      Round over = current;
      current = new Round();
      over.failure = outcome;
      over.isOver = true;
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < calls.length; i++) {
      Thread waiter = parked.get(i);
      if (waiter != null) {
        LockSupport.unpark(waiter);
      }
    }
  }
}
