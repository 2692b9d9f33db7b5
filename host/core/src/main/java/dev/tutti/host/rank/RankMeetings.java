package dev.tutti.host.rank;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The meetings of a group's ranks: one for all ranks; one for each pair, which is made when it is
 * first used; and one for the ends of captures, if ranks are in several processes. Thread-safe.
 */
final class RankMeetings {

  private final GroupCore core;
  private final RankSlot slot;
  private final Captures captures;
  private final GroupBindings bindings;
  private final RankNames names;
  private final int ranks;
  private final RankMeeting everybody;
  private final @Nullable RankMeeting endsOfCaptures;
  private final Map<Pair, RankMeeting> pairs = new ConcurrentHashMap<>();

  private record Pair(int source, int destination) {}

  /**
   * Makes the meetings of a group.
   *
   * @param splitter makes the groups of all colours, from the calls of all ranks
   */
  RankMeetings(
      GroupCore core,
      RankSlot slot,
      Captures captures,
      GroupBindings bindings,
      Consumer<List<RankCall>> splitter) {
    this.core = core;
    this.slot = slot;
    this.captures = captures;
    this.bindings = bindings;
    this.names = core.names();
    this.ranks = core.rankSize();
    int[] all = IntStream.range(0, ranks).toArray();
    RankBindings ofAll = bindings.forRanks();
    this.everybody =
        new RankMeeting(
            core,
            slot,
            captures,
            ofAll,
            splitter,
            all,
            0,
            agreement -> MeetingQueues.ofAll(core, agreement));
    slot.add(everybody);
    this.endsOfCaptures =
        core.job() == null
            ? null
            : new RankMeeting(
                core,
                slot,
                captures,
                ofAll,
                calls -> {},
                all,
                1 + ranks * ranks,
                agreement -> MeetingQueues.ofCaptures(core, agreement));
    if (endsOfCaptures != null) {
      slot.add(endsOfCaptures);
    }
  }

  RankMeeting everybody() {
    return everybody;
  }

  /** The meeting for the ends of captures; null if all ranks are in this process. */
  @Nullable RankMeeting endsOfCaptures() {
    return endsOfCaptures;
  }

  /**
   * The meeting of a rank for a call.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} for a transfer of ranks that do not
   *     exist, with itself, or of others
   */
  RankMeeting of(CollectiveCall call, int rank) {
    if (!call.isTransfer()) {
      return everybody;
    }
    Pair pair = new Pair(call.root(), call.destination());
    checkExists(pair);
    checkTakesPart(pair, rank);
    return meetingOf(pair);
  }

  /** The meeting of a rank with the other end of a transfer; null if there is no other end. */
  @Nullable RankMeeting ofTransfer(int rank, int source, int destination) {
    Pair pair = new Pair(source, destination);
    return exists(pair) && (rank == source || rank == destination) ? meetingOf(pair) : null;
  }

  /** The meeting with a number; see {@link RankMeeting#number}. */
  RankMeeting numbered(int number) {
    int pair = number - 1;
    if (endsOfCaptures != null && number == endsOfCaptures.number()) {
      return endsOfCaptures;
    }
    return pair < 0 ? everybody : meetingOf(new Pair(pair / ranks, pair % ranks));
  }

  /** Whether a rank takes part in the meeting with a number. */
  boolean takesPart(int rank, int number) {
    int pair = number - 1;
    return pair < 0 || pair / ranks == rank || pair % ranks == rank;
  }

  private RankMeeting meetingOf(Pair pair) {
    return pairs.computeIfAbsent(pair, this::newMeeting);
  }

  private RankMeeting newMeeting(Pair pair) {
    RankMeeting made =
        new RankMeeting(
            core,
            slot,
            captures,
            bindings.forPair(pair.source(), pair.destination()),
            calls -> {},
            new int[] {pair.source(), pair.destination()},
            1 + pair.source() * ranks + pair.destination(),
            agreement -> MeetingQueues.ofPair(core, pair.source(), pair.destination(), agreement));
    slot.add(made);
    return made;
  }

  private void checkExists(Pair pair) {
    if (!exists(pair)) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a transfer needs two different ranks of 0 to %d. Actual: from %d to %d",
          ranks - 1,
          pair.source(),
          pair.destination());
    }
  }

  private boolean exists(Pair pair) {
    return pair.source() != pair.destination()
        && exists(pair.source())
        && exists(pair.destination());
  }

  private boolean exists(int rank) {
    return rank >= 0 && rank < ranks;
  }

  private void checkTakesPart(Pair pair, int rank) {
    if (rank != pair.source() && rank != pair.destination()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "%s takes no part in a transfer from %s to %s; only those two call it",
          names.name(rank),
          names.name(pair.source()),
          names.name(pair.destination()));
    }
  }
}
