package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.host.watch.FlightLog;
import dev.tutti.host.watch.HostEvents;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The flight records of a group's ranks, and helpers for notes on their calls. Thread-safe. */
final class RankRecords {

  private final GroupCore core;

  /** The flight records of ranks that have made a call. */
  private final AtomicReferenceArray<FlightLog> flights;

  RankRecords(GroupCore core) {
    this.core = core;
    this.flights = new AtomicReferenceArray<>(core.rankSize());
  }

  /** The ranks of the group. */
  int ranks() {
    return flights.length();
  }

  /** Whether a rank is in this process. */
  boolean isHere(int rank) {
    return core.isLocal(rank);
  }

  /** Whether calls are noted: in flight records, as events, or by an observer. */
  boolean areWanted() {
    return core.watch().keepsFlights() || HostEvents.areWanted() || observer() != null;
  }

  /** The observer of the calls, or null. */
  @Nullable OperationObserver observer() {
    return core.settings().observer();
  }

  /**
   * The flight record of a rank that makes a call. It is created at the first call; null if none is
   * kept.
   */
  @Nullable FlightLog begin(int rank) {
    FlightLog log = flights.get(rank);
    if (log == null && core.watch().keepsFlights()) {
      flights.compareAndSet(rank, null, core.watch().newLog());
      return flights.get(rank);
    }
    return log;
  }

  /** The flight record of a rank; null if none is kept, or the rank has not made a call. */
  @Nullable FlightLog of(int rank) {
    return flights.get(rank);
  }

  /** The facts of a rank's call before its algorithm is known. */
  RunFacts facts(RankCall call) {
    String dataType = call.call().dataType().label();
    return new RunFacts(
        core.number(), call.operation(), call.words(), dataType, 0, core.rankSize(), "", "", "");
  }

  /** The clock of the notes. */
  Clock clock() {
    return core.engine().waiting().clock();
  }

  Counters counters() {
    return core.counters();
  }
}
