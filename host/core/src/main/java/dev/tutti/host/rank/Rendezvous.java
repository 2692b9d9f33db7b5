package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.IdleStrategy;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where several ranks meet, round after round: the last one to arrive acts for all, and all get the
 * same outcome.
 *
 * <p>Arrivals and outcomes change under the lock, which is never held while somebody acts. A waiter
 * holds on to the round it arrived in and polls whether that is over; so whatever later rounds do,
 * it gets the outcome of its own. A waiter parks only after it has put itself into {@code parked}
 * and looked once more, and who ends a round looks into {@code parked} afterwards, so no wake-up is
 * lost.
 *
 * <p>A round may end before everybody is there. Each place counts its rounds, so who comes later
 * still gets the outcome of the round it belongs to, and the order of calls stays the same for all.
 */
final class Rendezvous {

  private static final int MAX_BEHIND = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable RankCall[] calls;

  /** The number of the round that each place takes part in next. */
  private final long[] next;

  private final AtomicReferenceArray<Thread> parked;
  private final Host host;
  private final Clock clock;
  private final IdleStrategy idle;
  private int arrived;
  private Round current = new Round(1);

  /** Rounds that ended early and that somebody has yet to come to; without gaps, oldest first. */
  private final ArrayDeque<Round> early = new ArrayDeque<>();

  /** What the place needs to know and to have done. */
  interface Host {

    /** The rank that has a place. */
    int rank(int place);

    /** Acts for all, in the thread that arrived last. */
    void act(List<RankCall> calls, Round round);

    /** Why a place can never be taken in this round, or null. */
    @Nullable RankExit whyAbsent(int place);

    /** The error of those whose wait passed its deadline. */
    TuttiException expired(RankCall waiting, Round round, List<Integer> missing, long nanos);

    /** Ends the group; called without the lock. */
    void poison(String cause);

    /** Refuses a group that is closed or poisoned. */
    void requireUsable();

    /** Whether somebody wants to know how long ranks wait. */
    boolean isWatched();

    /** Whether the group is neither closed nor poisoned. */
    boolean isUsable();
  }

  Rendezvous(int places, Host host, Waiting waiting) {
    this.clock = waiting.clock();
    this.idle = waiting.meeting(places);
    this.calls = new RankCall[places];
    this.next = new long[places];
    Arrays.fill(next, current.number());
    this.parked = new AtomicReferenceArray<>(places);
    this.host = host;
  }

  /**
   * Arrives. If all have arrived, acts for them, and the round is over on return.
   *
   * @param place this rank's place
   * @param call its part
   * @return the round to wait for
   * @throws TuttiException if the group is closed or poisoned
   */
  Round arrive(int place, RankCall call) {
    Round round;
    boolean isLast;
    lock.lock();
    try {
      Round missed = missed(place);
      if (missed != null) {
        return missed;
      }
      requireUsable();
      round = current;
      next[place] = round.number() + 1;
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
      if (host.isWatched()) {
        round.met(host.rank(place), clock.nanoTime());
      }
      act(round);
    }
    return round;
  }

  /**
   * Ends the round that a place takes part in next, for all, because its part cannot be taken; does
   * nothing if that round is over, or the group is closed or poisoned.
   */
  void refuse(int place, TuttiException outcome) {
    lock.lock();
    try {
      if (missed(place) == null && host.isUsable()) {
        next[place] = current.number() + 1;
        end(outcome);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The round of this arrival, if it has ended already. */
  private @Nullable Round missed(int place) {
    if (next[place] < current.number()) {
      for (Round round : early) {
        if (round.number() == next[place]) {
          next[place]++;
          forgetWhatNobodyComesTo(true);
          return round;
        }
      }
    }
    return null;
  }

  private void requireUsable() {
    host.requireUsable();
    if (early.size() >= MAX_BEHIND) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "a rank is %d operations behind the others, which gave them up; let it catch up, or"
              + " close the group",
          early.size());
    }
  }

  private void act(Round round) {
    TuttiException outcome = null;
    try {
      List<RankCall> all = new ArrayList<>(calls.length);
      for (RankCall each : calls) {
        if (each != null) {
          all.add(each);
        }
      }
      host.act(all, round);
    } catch (TuttiException e) {
      outcome = e;
    } catch (RuntimeException | Error e) {
      outcome = new TuttiException(ErrorCode.RUN_FAILED, e, "the call failed: %s", e);
    }
    end(outcome);
  }

  /** The state of one that waits here. */
  Idler newIdler() {
    return idle.newIdler();
  }

  /**
   * Waits for the end of a round. Spins, yields and parks, each for longer than the one before.
   *
   * @param idler of the one that waits
   * @param nanos the longest time the call may take
   * @param left what is left of it
   */
  void await(int place, Idler idler, RankCall call, Round round, long nanos, long left) {
    idler.reset();
    boolean mustPark = false;
    while (!mustPark && !round.isOver()) {
      mustPark = idler.idle() == IdlePhase.PARK;
    }
    if (!round.isOver()) {
      park(place, call, round, nanos, left);
    }
  }

  private void park(int place, RankCall call, Round round, long nanos, long leftAtFirst) {
    long end = clock.nanoTime() + leftAtFirst;
    boolean wasInterrupted = false;
    parked.set(place, Thread.currentThread());
    while (!round.isOver()) {
      if (end - clock.nanoTime() > 0) {
        clock.parkUntil(this, end);
      } else if (expire(call, round, nanos)) {
        break;
      } else {
        // All have arrived: the run has a deadline of its own.
        clock.park(this, nanos);
      }
      wasInterrupted |= Thread.interrupted();
    }
    parked.set(place, null);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends a round because its deadline passed; not if all have arrived in the meantime.
   *
   * @return whether the round is over
   */
  boolean expire(RankCall call, Round round, long nanos) {
    List<Integer> missing = new ArrayList<>();
    TuttiException expired;
    lock.lock();
    try {
      if (round.isOver()) {
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
      expired = host.expired(call, round, missing, nanos);
      end(expired);
    } finally {
      lock.unlock();
    }
    host.poison(String.valueOf(expired.getMessage()));
    return true;
  }

  /**
   * Ends a round for all who are in it and for those who come later, if it is not over. Where the
   * run has begun, it is asked to end early.
   *
   * @return whether the round was not over
   */
  boolean cancel(Round round, TuttiException outcome) {
    round.requestCancel();
    lock.lock();
    try {
      if (round.isOver()) {
        return false;
      }
      if (isWaiting()) {
        end(outcome);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the round if somebody waits for a rank that will never come; the first to go is named. */
  void endIfSomebodyIsAbsent() {
    lock.lock();
    try {
      RankExit first = null;
      for (int i = 0; i < calls.length && isWaiting(); i++) {
        RankExit departure = calls[i] == null ? host.whyAbsent(i) : null;
        if (departure != null && (first == null || departure.order() < first.order())) {
          first = departure;
        }
      }
      if (first != null) {
        end(new TuttiException(first.code(), "%s", first.reason()));
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

  /** Lets all places begin with the same round again; called when those behind will not come. */
  void realign() {
    lock.lock();
    try {
      early.clear();
      for (int i = 0; i < calls.length; i++) {
        next[i] = current.number() + (calls[i] == null ? 0 : 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The ranks without which a round cannot begin; none if all have arrived, or it is over. */
  List<Integer> missing(Round round) {
    List<Integer> missing = new ArrayList<>();
    lock.lock();
    try {
      boolean isOpen = !round.isOver() && round.number() == current.number();
      for (int i = 0; i < calls.length && isOpen; i++) {
        if (calls[i] == null) {
          missing.add(host.rank(i));
        }
      }
    } finally {
      lock.unlock();
    }
    return missing;
  }

  private boolean isWaiting() {
    return arrived > 0 && arrived < calls.length;
  }

  private void end(@Nullable TuttiException outcome) {
    lock.lock();
    try {
      Round over = current;
      boolean isEarly = arrived < calls.length;
      Arrays.fill(calls, null);
      arrived = 0;
      current = new Round(over.number() + 1);
      early.add(over);
      forgetWhatNobodyComesTo(isEarly);
      over.end(outcome);
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

  private void forgetWhatNobodyComesTo(boolean isAnybodyBehind) {
    long first = current.number();
    for (int i = 0; isAnybodyBehind && i < next.length; i++) {
      if (next[i] < first && host.whyAbsent(i) == null) {
        first = next[i];
      }
    }
    while (!early.isEmpty() && early.getFirst().number() < first) {
      early.removeFirst();
    }
  }
}
