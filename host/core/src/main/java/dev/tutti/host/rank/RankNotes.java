package dev.tutti.host.rank;

import dev.tutti.host.rank.Arrivals.Arrival;
import dev.tutti.host.status.FlightEntry.State;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.Observed;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * Notes on one call of one rank, made only while they are wanted: its events, its entry in the
 * rank's flight record, the notices to an observer, and the time that it waited for other ranks.
 * Only the rank's thread may use it.
 */
final class RankNotes {

  private static final int NOBODY = -1;

  private final RankRecords records;
  private final RankCall call;

  /** The rank's flight record; null if none is kept. */
  private final @Nullable FlightLog flight;

  private final HostEvents.@Nullable RankCall callEvent;
  private final @Nullable Observed observed;
  private HostEvents.@Nullable Wait waitEvent;
  private long entry;
  private long arrivedNanos;

  /**
   * Notes the start of a call.
   *
   * @param records the records of the group's ranks
   * @param isRecorded whether the call is recorded instead of run; then it is not observed
   */
  RankNotes(RankRecords records, RankCall call, boolean isRecorded) {
    this.records = records;
    this.call = call;
    this.flight = records.begin(call.rank());
    this.callEvent = HostEvents.begin(HostEvents.RankCall::new);
    OperationObserver observer = isRecorded ? null : records.observer();
    this.observed =
        observer == null ? null : Observed.begin(observer, records.facts(call), call.rank());
  }

  /**
   * Notes that the rank is about to start its operation. The call that the flight record keeps has
   * no buffers.
   */
  void arrive() {
    waitEvent = HostEvents.begin(HostEvents.Wait::new);
    if (flight != null) {
      entry = flight.begin(call.isOperation() ? call.call() : call.words(), null, State.WAITING);
    }
    arrivedNanos = records.clock().nanoTime();
  }

  /** The entry in the rank's flight record. */
  long entry() {
    return entry;
  }

  /**
   * Notes that the operation has ended for the rank. The rank that started it last has not waited.
   *
   * @param met the last rank to start it; null if not all have started it
   */
  void waited(@Nullable Arrival met, @Nullable RunFacts known, @Nullable TuttiException failure) {
    int lastRank = met == null ? NOBODY : met.rank();
    long forRanks =
        Math.max(0, (met == null ? records.clock().nanoTime() : met.nanos()) - arrivedNanos);
    if (waitEvent != null && lastRank != call.rank()) {
      HostEvents.end(waitEvent, call.rank(), lastRank, forRanks, facts(known), failure);
    }
    if (flight != null && known != null) {
      boolean isCapture = known.operation().equals(RunFacts.CAPTURE);
      String algorithm = isCapture ? "" : known.algorithm();
      records.counters().waited(known.operation(), algorithm, forRanks);
    }
  }

  /** The facts of the run; if they are not known, those of the rank's call. */
  private RunFacts facts(@Nullable RunFacts known) {
    return known == null ? records.facts(call) : known;
  }

  /** Notes the end of the call. */
  void end(@Nullable RunFacts known, @Nullable Throwable failure) {
    if (flight != null && entry != 0) {
      long ignored = flight.end(entry, known, ended(failure));
    }
    if (callEvent != null) {
      HostEvents.end(callEvent, call.rank(), facts(known), failure);
    }
    if (observed != null) {
      observed.end(facts(known), failure);
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
