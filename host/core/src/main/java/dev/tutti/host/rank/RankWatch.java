package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.RankStatus;
import dev.tutti.host.status.RankStatus.State;
import dev.tutti.host.topology.RankNames;
import dev.tutti.host.watch.FlightLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reports the activity of a group's ranks, and their last calls. Thread-safe. */
public final class RankWatch {

  /** The largest number of ranks that a message names. */
  private static final int MAX_NAMED = 8;

  private static final long LOOK_NANOS = 20_000;

  private final RankNames names;
  private final RankRecords records;
  private final RankSlot slot;
  private final RankActivity activity;
  private final RankExits exits;

  RankWatch(
      RankNames names, RankRecords records, RankSlot slot, RankActivity activity, RankExits exits) {
    this.names = names;
    this.records = records;
    this.slot = slot;
    this.activity = activity;
    this.exits = exits;
  }

  /** An operation that a rank is in. */
  record Current(RankMeeting meeting, RankPart part, long number) {}

  /** The first operation of a rank that has not ended; null if there is none. */
  @Nullable Current current(int rank) {
    for (RankMeeting meeting : slot.meetings()) {
      RankPart part = meeting.current(rank);
      long number = part == null ? 0 : part.underWay();
      if (part != null && number != 0) {
        return new Current(meeting, part, number);
      }
    }
    return null;
  }

  /** Waits, for a limited time, until no rank of this process is about to return from a call. */
  void awaitReturns(Clock clock) {
    boolean ignored =
        clock.awaitUntil(
            () -> IntStream.range(0, records.ranks()).noneMatch(this::isReturning),
            RankMeeting.DRAIN_NANOS,
            LOOK_NANOS);
  }

  /** Whether the operation of a rank's call has ended, but not the call. */
  private boolean isReturning(int rank) {
    return activity.of(rank) != null && current(rank) == null;
  }

  /** The slot holder of the ranks. */
  RankSlot slot() {
    return slot;
  }

  /** The last calls of a rank, the oldest first. */
  public List<FlightEntry> flight(int rank) {
    FlightLog log = records.of(rank);
    List<FlightEntry> entries = new ArrayList<>(log == null ? List.of() : log.entries());
    Current doing = current(rank);
    if (doing != null && doing.meeting().missing(doing.number()).isEmpty()) {
      long running = doing.part().entry();
      entries.replaceAll(
          entry ->
              entry.sequence() == running && entry.state() == FlightEntry.State.WAITING
                  ? entry.withState(FlightEntry.State.RUNNING)
                  : entry);
    }
    return entries;
  }

  /** The numbers of the operations that the ranks are in; 0 for a rank in none. */
  List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (int rank = 0; rank < records.ranks(); rank++) {
      Current doing = current(rank);
      numbers.add(doing == null ? 0 : doing.number());
    }
    return numbers;
  }

  /**
   * The status of each rank of this process. Ranks of the same operation share the list of ranks
   * that they wait for.
   */
  List<RankStatus> status() {
    Map<List<Object>, List<Integer>> missing = new HashMap<>();
    List<RankStatus> all = new ArrayList<>();
    for (int rank = 0; rank < records.ranks(); rank++) {
      if (!records.isHere(rank)) {
        continue;
      }
      Current doing = current(rank);
      RankPart caller = activity.of(rank);
      if (doing == null) {
        all.add(outside(rank));
        continue;
      }
      RankMeeting meeting = doing.meeting();
      long number = doing.number();
      List<Integer> awaited =
          missing.computeIfAbsent(List.of(meeting, number), it -> meeting.missing(number));
      boolean isFull = caller != null && caller.underWay() == 0;
      all.add(inCall(doing, awaited, isFull ? caller : null));
    }
    return all;
  }

  /**
   * The status of a rank that is in an operation.
   *
   * @param next the operation that it cannot start yet; null if there is none
   */
  private RankStatus inCall(Current doing, List<Integer> missing, @Nullable RankPart next) {
    int rank = doing.part().call().rank();
    boolean isWaiting = !missing.isEmpty();
    String words =
        Sentence.of(
            "%s operation %d, %s%s%s",
            isWaiting ? "waits in" : "is in",
            doing.number(),
            doing.part().call().words(),
            isWaiting ? ", for " + names(missing) : "",
            next == null
                ? ""
                : Sentence.of(
                    "; cannot start %s while %d operations are in flight",
                    next.call().words(), MeetingQueues.CAPACITY));
    return new RankStatus(
        rank,
        names.name(rank),
        isWaiting ? State.WAITING : State.RUNNING,
        words,
        missing,
        activity.callers().source(rank));
  }

  private RankStatus outside(int rank) {
    if (exits.of(rank) != null) {
      return new RankStatus(
          rank, names.name(rank), State.GONE, "has ended its body" + lastCall(rank), List.of(), "");
    }
    return new RankStatus(
        rank,
        names.name(rank),
        State.OUTSIDE,
        "has not called" + lastCall(rank),
        List.of(),
        activity.callers().source(rank));
  }

  /**
   * Half a sentence about the last call and the thread of a rank that is not in a call; may be
   * empty.
   */
  String lastCall(int rank) {
    List<FlightEntry> entries = flight(rank);
    if (entries.isEmpty()) {
      return activity.callers().ended(rank);
    }
    FlightEntry last = entries.getLast();
    Duration age = Duration.between(last.start().plusNanos(last.nanos()), Instant.now());
    return activity.callers().ended(rank)
        + Sentence.of("; its last call was %s, %.1f s ago", last, age.toMillis() / 1e3);
  }

  private String names(List<Integer> some) {
    return some.stream().limit(MAX_NAMED).map(names::name).collect(Collectors.joining(", "))
        + (some.size() > MAX_NAMED ? Sentence.of(" and %d more", some.size() - MAX_NAMED) : "");
  }
}
