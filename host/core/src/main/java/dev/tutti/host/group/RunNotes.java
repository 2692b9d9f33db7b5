package dev.tutti.host.group;

import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.FlightEntry.State;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.Observed;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes on the runs of a request or a capture, while they are wanted: the event of each run, its
 * entry in the group's flight record, the notices to an observer, and the total time. Only the
 * thread that runs it may use it.
 */
final class RunNotes {

  /** The largest number of operations of the flight record in an error. */
  private static final int TOLD = 5;

  private final Supplier<RunFacts> made;
  private final @Nullable FlightLog flight;
  private final @Nullable OperationObserver observer;

  /** The facts of the runs, once requested; null again after a change of plan. */
  private @Nullable RunFacts facts;

  private HostEvents.@Nullable Run event;
  private @Nullable Observed observed;
  private long number;
  private long nanos;

  /**
   * Makes the notes.
   *
   * @param made makes the facts of the runs
   * @param flight the group's flight record; null if none is kept
   * @param observer observes the runs; null if there is none, or if it observes the ranks' calls
   *     instead
   */
  RunNotes(
      Supplier<RunFacts> made, @Nullable FlightLog flight, @Nullable OperationObserver observer) {
    this.made = made;
    this.flight = flight;
    this.observer = observer;
  }

  /** The facts of the runs, in words and numbers. */
  RunFacts facts() {
    RunFacts known = facts;
    if (known == null) {
      known = made.get();
      facts = known;
    }
    return known;
  }

  /** Drops the facts, because the next runs use another plan. */
  void forgetFacts() {
    facts = null;
  }

  void begin() {
    if (flight != null) {
      RunFacts known = facts();
      number = flight.begin(known.call(), known, State.RUNNING);
    }
    event = HostEvents.begin(HostEvents.Run::new);
    observed =
        observer == null ? null : Observed.begin(observer, facts(), OperationObserver.ALL_RANKS);
  }

  /** Notes the end of a run; returns its duration, 0 unless a flight record is kept. */
  long done() {
    return flight == null && event == null && observed == null ? 0 : end(State.DONE, null);
  }

  /** Notes a failure. */
  void failed(TuttiException failure) {
    long ignored =
        end(failure.code() == ErrorCode.CANCELLED ? State.CANCELLED : State.FAILED, failure);
  }

  private long end(State state, @Nullable TuttiException failure) {
    long took = flight == null ? 0 : flight.end(number, facts(), state);
    nanos += took;
    if (event != null) {
      HostEvents.end(event, this::facts, failure);
      event = null;
    }
    if (observed != null) {
      observed.end(facts(), failure);
      observed = null;
    }
    return took;
  }

  /** The last operations of the group, including this run; empty unless a flight record is kept. */
  List<FlightEntry> lastOperations() {
    List<FlightEntry> entries = flight == null ? List.of() : flight.entries();
    return entries.subList(Math.max(0, entries.size() - TOLD), entries.size());
  }

  /** The time of the runs that have not been counted yet; 0 unless a flight record is kept. */
  long nanos() {
    return nanos;
  }

  /** Notes that the runs have been counted. */
  void resetNanos() {
    nanos = 0;
  }
}
