package dev.tutti.host.rank;

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
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what the ranks of a group are doing, and what they did last. Thread-safe. */
public final class RankWatch {

  /** The most ranks that a message names. */
  private static final int MAX_NAMED = 8;

  private final RankNames names;
  private final RankRecords records;
  private final AtomicReferenceArray<RankOperation> activity;
  private final AtomicReferenceArray<RankExit> departed;
  private final CallerThreads callers;

  /**
   * Watches ranks.
   *
   * @param activity what each rank is doing; null while it is outside of any call
   * @param departed why a rank will make no more calls; null while it may
   */
  RankWatch(
      RankNames names,
      RankRecords records,
      AtomicReferenceArray<RankOperation> activity,
      AtomicReferenceArray<RankExit> departed,
      CallerThreads callers) {
    this.names = names;
    this.records = records;
    this.activity = activity;
    this.departed = departed;
    this.callers = callers;
  }

  /** The last calls of a rank, the oldest first. */
  public List<FlightEntry> flight(int rank) {
    FlightLog log = records.of(rank);
    List<FlightEntry> entries = new ArrayList<>(log == null ? List.of() : log.entries());
    RankOperation doing = activity.get(rank);
    Round round = doing == null ? null : doing.underWay();
    boolean runs = round != null && !round.isOver() && doing.missing(round).isEmpty();
    if (runs && !entries.isEmpty() && entries.getLast().state() == FlightEntry.State.WAITING) {
      entries.addLast(entries.removeLast().withState(FlightEntry.State.RUNNING));
    }
    return entries;
  }

  /** The meetings that ranks are in; null for a rank in none. */
  List<@Nullable Round> rounds() {
    List<@Nullable Round> rounds = new ArrayList<>();
    for (int rank = 0; rank < activity.length(); rank++) {
      RankOperation doing = activity.get(rank);
      rounds.add(doing == null ? null : doing.underWay());
    }
    return rounds;
  }

  /** What each rank is doing; those of one meeting share the list of whom they wait for. */
  List<RankStatus> status() {
    Map<Round, List<Integer>> missing = new HashMap<>();
    List<RankStatus> all = new ArrayList<>();
    for (int rank = 0; rank < activity.length(); rank++) {
      RankOperation doing = activity.get(rank);
      Round round = doing == null ? null : doing.underWay();
      all.add(
          doing == null || round == null
              ? outside(rank)
              : inCall(
                  doing,
                  round,
                  missing.computeIfAbsent(round, it -> List.copyOf(doing.missing(it)))));
    }
    return all;
  }

  private RankStatus inCall(RankOperation doing, Round round, List<Integer> missing) {
    int rank = doing.rankCall().rank();
    boolean isWaiting = !missing.isEmpty();
    String words =
        Sentence.of(
            "%s operation %d, %s%s",
            isWaiting ? "waits in" : "is in",
            round.number(),
            doing.rankCall().words(),
            isWaiting ? ", for " + names(missing) : "");
    return new RankStatus(
        rank,
        names.name(rank),
        isWaiting ? State.WAITING : State.RUNNING,
        words,
        missing,
        callers.source(rank));
  }

  private RankStatus outside(int rank) {
    if (departed.get(rank) != null) {
      return new RankStatus(
          rank, names.name(rank), State.GONE, "has ended its body" + lastCall(rank), List.of(), "");
    }
    return new RankStatus(
        rank,
        names.name(rank),
        State.OUTSIDE,
        "has not called" + lastCall(rank),
        List.of(),
        callers.source(rank));
  }

  /** Half a sentence about what is known of a rank that is in no call; may be empty. */
  String lastCall(int rank) {
    List<FlightEntry> entries = flight(rank);
    if (entries.isEmpty()) {
      return callers.ended(rank);
    }
    FlightEntry last = entries.getLast();
    Duration age = Duration.between(last.start().plusNanos(last.nanos()), Instant.now());
    return callers.ended(rank)
        + Sentence.of("; its last call was %s, %.1f s ago", last, age.toMillis() / 1e3);
  }

  private String names(List<Integer> some) {
    return some.stream().limit(MAX_NAMED).map(names::name).collect(Collectors.joining(", "))
        + (some.size() > MAX_NAMED ? Sentence.of(" and %d more", some.size() - MAX_NAMED) : "");
  }
}
