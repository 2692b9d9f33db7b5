package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.Recording;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a group's ranks. All ranks meet in one place for a collective operation, two in a
 * place of their own for a transfer. Requests are kept for calls that come again. Thread-safe.
 */
public final class RankCalls implements AutoCloseable {

  private final GroupCore core;
  private final RankNames names;
  private final RendezvousExecutor met;
  private final int ranks;
  private final Rendezvous everybody;
  private final Map<Pair, Rendezvous> pairs = new ConcurrentHashMap<>();

  /** What each rank is doing; null while it is outside of any call. */
  private final AtomicReferenceArray<RankOperation> activity;

  /** Why a rank will make no more calls; null while it may. */
  private final AtomicReferenceArray<RankExit> departed;

  private final AtomicLong departures = new AtomicLong();

  private final CallerThreads callers;
  private final RankRecords records;
  private final RankWatch watch;

  /**
   * The calls of the groups that were made from this one, and which ranks of this one they have.
   */
  private final Map<RankCalls, RankList> parts = new ConcurrentHashMap<>();

  private final RankStaging[] staging;
  private final AtomicBoolean runsBodies = new AtomicBoolean();

  private record Pair(int source, int destination) {}

  /**
   * The calls of the ranks of a group.
   *
   * @param splitter makes the groups of all colours, from the calls of all ranks
   */
  public RankCalls(
      GroupCore core,
      Captures captures,
      GroupBindings bindings,
      Consumer<List<RankCall>> splitter) {
    this.core = core;
    this.names = core.names();
    this.met = new RendezvousExecutor(core, captures, bindings, splitter, this::ownCall);
    this.ranks = core.rankSize();
    this.everybody = new Rendezvous(ranks, new Place(null), core.waiting());
    this.activity = new AtomicReferenceArray<>(ranks);
    this.departed = new AtomicReferenceArray<>(ranks);
    this.callers = new CallerThreads(ranks);
    this.records = new RankRecords(core);
    this.watch = new RankWatch(names, records, activity, departed, callers);
    this.staging = new RankStaging[ranks];
    Arrays.setAll(staging, rank -> new RankStaging(names));
    core.slot().onPoison(this::endAll);
  }

  public String name(int rank) {
    return names.name(rank);
  }

  /** A request of one rank whose buffers may be larger than its operation needs. */
  public RankOperation requestOfUsed(RankCall call) {
    return request(UsedBuffers.of(call, core.topology()));
  }

  /**
   * A request of one rank, not started.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} for a transfer with a rank that does
   *     not exist, or with itself, before anybody waits
   */
  public RankOperation request(RankCall call) {
    long nanos = core.settings().deadlineNanos(call.options());
    if (!call.call().isTransfer()) {
      return new RankOperation(this, call, everybody, call.rank(), nanos);
    }
    Pair pair = new Pair(call.call().root(), call.call().destination());
    checkExists(pair);
    checkTakesPart(pair, call.rank());
    Rendezvous meeting =
        pairs.computeIfAbsent(pair, p -> new Rendezvous(2, new Place(p), core.waiting()));
    return new RankOperation(this, call, meeting, call.rank() == pair.source() ? 0 : 1, nanos);
  }

  private void checkExists(Pair pair) {
    for (int rank : new int[] {pair.source(), pair.destination()}) {
      if (rank < 0 || rank >= ranks || pair.source() == pair.destination()) {
        throw new TuttiException(
            ErrorCode.INVALID_RANK,
            "a transfer needs two different ranks of 0 to %d. Actual: from %d to %d",
            ranks - 1,
            pair.source(),
            pair.destination());
      }
    }
  }

  private void checkTakesPart(Pair pair, int rank) {
    if (rank != pair.source() && rank != pair.destination()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "%s takes no part in a transfer from %s to %s; only those two call it",
          name(rank),
          name(pair.source()),
          name(pair.destination()));
    }
  }

  /** Notes that a rank is in a call from now on. */
  void enter(RankOperation request) {
    int rank = request.rankCall().rank();
    callers.note(rank);
    if (!activity.compareAndSet(rank, null, request)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "%s is already in a call (%s); a rank makes one call at a time, so wait for its end",
          name(rank),
          activity.get(rank));
    }
  }

  /** Notes that a rank is in no call any more. */
  void leave(RankOperation request) {
    activity.compareAndSet(request.rankCall().rank(), request, null);
  }

  /** The same call with buffers that every thread can reach, filled by the rank's own thread. */
  RankCall reachable(RankCall call) {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      RankStaging copies = staging[call.rank()];
      return Recording.isOfRanks(core.slot()) ? copies.check(call) : copies.before(call);
    } finally {
      restore(wasInterrupted, call);
    }
  }

  /**
   * Brings the result of a call back into the rank's own buffer. If that fails, the others have
   * ended the operation already, so the group ends with it.
   */
  void bringBack(RankCall call, RankCall reachable) {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      staging[call.rank()].after(call, reachable);
    } catch (TuttiException e) {
      core.slot().poison(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      restore(wasInterrupted, call);
    }
  }

  private static void restore(boolean wasInterrupted, RankCall call) {
    for (MemorySegment buffer : new @Nullable MemorySegment[] {call.input(), call.output()}) {
      if (buffer != null) {
        InterruptFlag.restore(wasInterrupted, buffer.scope());
      }
    }
  }

  /** The call that a rank is in, with the buffers that it gave; null if it is in none. */
  private @Nullable RankCall ownCall(int rank) {
    RankOperation doing = activity.get(rank);
    return doing == null ? null : doing.rankCall();
  }

  /** What deadlines of calls go by. */
  Clock clock() {
    return core.waiting().clock();
  }

  /** Says what the ranks do, and what they did last. */
  public RankWatch watch() {
    return watch;
  }

  /** Notes what the ranks do. */
  RankRecords records() {
    return records;
  }

  /** A group was made from this one, of some of its ranks. */
  public void addPart(RankCalls part, RankList members) {
    parts.put(part, members);
  }

  /** A group that was made from this one is closed. */
  public void removePart(RankCalls part) {
    parts.remove(part);
  }

  /**
   * Runs a body per rank and waits for their ends.
   *
   * @param handles what the body of each rank gets, by rank
   */
  public <H> void runAll(List<H> handles, Consumer<H> body) {
    if (!runsBodies.compareAndSet(false, true)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the group is already running a body per rank; wait for its end");
    }
    try {
      new RankBodies(this::depart).run(handles, body);
    } finally {
      bodiesEnded();
      runsBodies.set(false);
    }
  }

  /** All ranks may make calls again, and begin with the same one. */
  private void bodiesEnded() {
    for (int rank = 0; rank < ranks; rank++) {
      departed.set(rank, null);
    }
    everybody.realign();
    pairs.values().forEach(Rendezvous::realign);
    parts.keySet().forEach(RankCalls::bodiesEnded);
  }

  /** Notes that a rank makes no more calls here and in sub-groups, and ends the waits for it. */
  private void depart(int rank, String how) {
    ErrorCode code =
        Recording.isOfRanks(core.slot()) ? ErrorCode.CAPTURE_ABANDONED : ErrorCode.INVALID_STATE;
    departed.set(rank, new RankExit(departures.getAndIncrement(), code, name(rank) + how));
    parts.forEach(
        (part, members) -> {
          int own = members.indexOf(rank);
          if (own >= 0) {
            part.depart(own, how);
          }
        });
    RankOperation left = activity.get(rank);
    if (left != null) {
      left.abandon(
          name(rank) + " has ended its body without waiting for its " + left.rankCall().words());
    }
    everybody.endIfSomebodyIsAbsent();
    pairs.values().forEach(Rendezvous::endIfSomebodyIsAbsent);
  }

  /** Ends all waits because the group is poisoned or closed. */
  public void endAll() {
    everybody.endIfUnusable();
    pairs.values().forEach(Rendezvous::endIfUnusable);
  }

  /** Frees the copies. Called when no run is under way and none can begin. */
  @Override
  public void close() {
    for (RankStaging each : staging) {
      each.close();
    }
  }

  /** A rendezvous of this group: of everybody, or of the two ends of a transfer. */
  private final class Place implements Rendezvous.Host {
    private final @Nullable Pair pair;

    Place(@Nullable Pair pair) {
      this.pair = pair;
    }

    @Override
    public int rank(int place) {
      if (pair == null) {
        return place;
      }
      return place == 0 ? pair.source() : pair.destination();
    }

    @Override
    public void act(List<RankCall> calls, Round round) {
      met.act(calls, round);
    }

    @Override
    public @Nullable RankExit whyAbsent(int place) {
      return departed.get(rank(place));
    }

    @Override
    public TuttiException expired(
        RankCall waiting, Round round, List<Integer> missing, long nanos) {
      return new TuttiException(
          ErrorCode.DEADLINE_EXCEEDED,
          "%s waited %d ms in operation %d, %s, for %d of %d ranks that did not arrive: %s; the"
              + " group can only be closed now",
          name(waiting.rank()),
          nanos / 1_000_000,
          round.number(),
          waiting.words(),
          missing.size(),
          pair == null ? ranks : 2,
          missing.stream().limit(8).map(this::describe).collect(Collectors.joining(", "))
              + (missing.size() > 8 ? ", …" : ""));
    }

    private String describe(int place) {
      int rank = rank(place);
      RankOperation doing = activity.get(rank);
      return name(rank)
          + (doing == null
              ? " is in no call" + watch.lastCall(rank)
              : " is in " + doing.rankCall().words());
    }

    @Override
    public void poison(String cause) {
      core.slot().poison(cause);
    }

    @Override
    public void requireUsable() {
      core.slot().requireUsable();
    }

    @Override
    public boolean isWatched() {
      return records.areWanted();
    }

    @Override
    public boolean isUsable() {
      return core.slot().isUsable();
    }
  }
}
