package dev.tutti.host.rank;

import dev.tutti.host.status.FlightEntry.State;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * Notes of one call of one rank, made only while somebody wants them: its events, its line in the
 * rank's flight record, and how long it waited for other ranks. Used by the rank's thread.
 */
final class RankNotes {

  private final RankRecords records;
  private final RankCall call;

  /** The rank's flight record; null if none is kept. */
  private final @Nullable FlightLog flight;

  private final HostEvents.@Nullable RankCall callEvent;
  private HostEvents.@Nullable Wait waitEvent;
  private long arrivedNanos;

  /**
   * The call begins.
   *
   * @param records of the group's ranks
   */
  RankNotes(RankRecords records, RankCall call) {
    this.records = records;
    this.call = call;
    this.flight = records.begin(call.rank());
    this.callEvent = HostEvents.begin(HostEvents.RankCall::new);
  }

  /** The rank is about to meet the others; what the flight record keeps has no buffers. */
  void arrive() {
    waitEvent = HostEvents.begin(HostEvents.Wait::new);
    arrivedNanos =
        flight == null
            ? records.clock().nanoTime()
            : flight.begin(call.split() == null ? call.call() : call.words(), null, State.WAITING);
  }

  /** The outcome of the meeting is there. The rank that came last has not waited. */
  void waited(Round round) {
    if (waitEvent != null && round.lastRank() != call.rank()) {
      HostEvents.end(
          waitEvent, call.rank(), round.lastRank(), forRanks(round), facts(round), round.failure());
    }
    RunFacts facts = round.facts();
    if (flight != null && facts != null) {
      records.counters().waited(facts.operation(), facts.algorithm(), forRanks(round));
    }
  }

  /** The time until the last rank had called, or until it was clear that it never will. */
  private long forRanks(Round round) {
    long met = round.metNanos();
    return Math.max(0, (met == 0 ? records.clock().nanoTime() : met) - arrivedNanos);
  }

  /** What was run; if that is not known, what the rank called. */
  private RunFacts facts(@Nullable Round round) {
    RunFacts known = round == null ? null : round.facts();
    return known == null ? records.facts(call) : known;
  }

  /** The call has ended. */
  void end(@Nullable Round round, @Nullable Throwable failure) {
    if (flight != null) {
      flight.end(round == null ? null : round.facts(), ended(failure));
    }
    if (callEvent != null) {
      HostEvents.end(callEvent, call.rank(), facts(round), failure);
    }
  }

  private static State ended(@Nullable Throwable failure) {
    if (failure == null) {
      return State.DONE;
    }
    return failure instanceof TuttiException coded && coded.code() == ErrorCode.CANCELLED
        ? State.CANCELLED
        : State.FAILED;
  }
}
