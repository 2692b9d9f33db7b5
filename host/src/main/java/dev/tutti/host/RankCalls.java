package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a group's ranks. All ranks meet in one place for a collective operation, two in a
 * place of their own for a transfer. Requests are kept for calls that come again. Thread-safe.
 */
final class RankCalls implements AutoCloseable {

  private static final int MAX_REQUESTS = 32;

  private final Group group;
  private final HostSettings settings;
  private final RankNames names;
  private final Agreement agreement;
  private final int ranks;
  private final Rendezvous everybody;
  private final Map<Pair, Rendezvous> pairs = new ConcurrentHashMap<>();

  /** What each rank is doing; null while it is outside of any call. */
  private final AtomicReferenceArray<RankRequest> activity;

  /** Why a rank will make no more calls; null while it may. */
  private final AtomicReferenceArray<Departure> departed;

  private final AtomicLong departures = new AtomicLong();

  private final CallerThreads callers;
  private final RankStaging[] staging;
  private final AtomicBoolean runsBodies = new AtomicBoolean();

  /** Held during the run of a rank's request, so that transfers wait for each other. */
  private final ReentrantLock running = new ReentrantLock();

  private final LinkedHashMap<Shape, Request> requests = new LinkedHashMap<>(16, 0.75f, true);

  private record Pair(int source, int destination) {}

  private record Shape(CollectiveCall call, CallOptions options, boolean inPlace) {}

  RankCalls(Group group, HostSettings settings, RankNames names) {
    this.group = group;
    this.settings = settings;
    this.names = names;
    this.agreement = new Agreement(names);
    this.ranks = group.rankSize();
    this.everybody = new Rendezvous(ranks, new Place(null));
    this.activity = new AtomicReferenceArray<>(ranks);
    this.departed = new AtomicReferenceArray<>(ranks);
    this.callers = new CallerThreads(ranks);
    this.staging = new RankStaging[ranks];
    Arrays.setAll(staging, rank -> new RankStaging());
  }

  String name(int rank) {
    return names.name(rank);
  }

  /**
   * A request of one rank, not started.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} for a transfer with a rank that does
   *     not exist, or with itself, before anybody waits
   */
  RankRequest request(RankCall call) {
    long nanos = settings.deadlineNanos(call.options());
    if (!call.call().isTransfer()) {
      return new RankRequest(this, call, everybody, call.rank(), nanos);
    }
    Pair pair = new Pair(call.call().root(), call.call().destination());
    checkExists(pair);
    checkTakesPart(pair, call.rank());
    Rendezvous meeting = pairs.computeIfAbsent(pair, p -> new Rendezvous(2, new Place(p)));
    return new RankRequest(this, call, meeting, call.rank() == pair.source() ? 0 : 1, nanos);
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
  void enter(RankRequest request) {
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
  void leave(RankRequest request) {
    activity.compareAndSet(request.rankCall().rank(), request, null);
  }

  /** The same call with buffers that every thread can reach, filled by the rank's own thread. */
  RankCall reachable(RankCall call) {
    return whileOpen(() -> staging[call.rank()].before(call));
  }

  /** Brings the result of a call back into the rank's own buffer. */
  void bringBack(RankCall call, RankCall reachable) {
    whileOpen(
        () -> {
          staging[call.rank()].after(call, reachable);
          return call;
        });
  }

  /** Copies are freed when the group is closed, and who copies then is told of that. */
  private RankCall whileOpen(Supplier<RankCall> copying) {
    try {
      return copying.get();
    } catch (IllegalStateException e) {
      group.requireUsable();
      throw e;
    }
  }

  /** Runs the request of calls that agree. */
  private void act(List<RankCall> calls, Round round) {
    agreement.check(calls, round.number());
    checkOverlaps(calls);
    RankCall first = calls.getFirst();
    @Nullable MemorySegment[] inputs = new MemorySegment[ranks];
    @Nullable MemorySegment[] outputs = new MemorySegment[ranks];
    boolean inPlace = false;
    for (RankCall each : calls) {
      MemorySegment input = each.input();
      MemorySegment output = each.output();
      inputs[each.rank()] = input;
      outputs[each.rank()] = output;
      inPlace |=
          input != null
              && output != null
              && input.address() == output.address()
              && input.byteSize() > 0;
    }
    running.lock();
    try {
      Request request = request(new Shape(first.call(), first.options(), inPlace), inputs, outputs);
      request.run(round);
    } finally {
      running.unlock();
    }
  }

  /** Copies hide that two ranks gave the same array, so the ranks' own buffers are compared. */
  private void checkOverlaps(List<RankCall> calls) {
    @Nullable MemorySegment[] inputs = new MemorySegment[ranks];
    @Nullable MemorySegment[] outputs = new MemorySegment[ranks];
    boolean isCopied = false;
    for (RankCall reachable : calls) {
      RankRequest doing = activity.get(reachable.rank());
      if (doing != null) {
        RankCall own = doing.rankCall();
        isCopied |=
            !Segments.isSameView(own.input(), reachable.input())
                || !Segments.isSameView(own.output(), reachable.output());
        inputs[own.rank()] = own.input();
        outputs[own.rank()] = own.output();
      }
    }
    if (isCopied) {
      Aliasing.checkOverlaps(inputs, outputs);
    }
  }

  private Request request(
      Shape shape, @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    Request known = requests.get(shape);
    if (known != null) {
      known.rebind(inputs, outputs);
      return known;
    }
    Request built = group.build(shape.call(), shape.options(), inputs, outputs);
    requests.put(shape, built);
    if (requests.size() > MAX_REQUESTS) {
      Map.Entry<Shape, Request> eldest = requests.firstEntry();
      requests.remove(eldest.getKey());
      eldest.getValue().close();
    }
    return built;
  }

  /** Runs a body per rank; see {@link Group#run}. */
  void runAll(Consumer<RankHandle> body) {
    if (!runsBodies.compareAndSet(false, true)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the group is already running a body per rank; wait for its end");
    }
    try {
      RankBodies bodies = new RankBodies(names, this::depart);
      List<RankHandle> handles = new ArrayList<>(ranks);
      for (int rank = 0; rank < ranks; rank++) {
        handles.add(group.rank(rank));
      }
      bodies.run(handles, body);
    } finally {
      for (int rank = 0; rank < ranks; rank++) {
        departed.set(rank, null);
      }
      everybody.realign();
      pairs.values().forEach(Rendezvous::realign);
      runsBodies.set(false);
    }
  }

  /** Notes that a rank makes no more calls, and ends the waits for it. */
  private void depart(int rank, String reason) {
    departed.set(rank, new Departure(departures.getAndIncrement(), reason));
    RankRequest left = activity.get(rank);
    if (left != null) {
      left.abandon(name(rank) + " has ended its body without waiting for its " + left.call());
    }
    everybody.endIfSomebodyIsAbsent();
    pairs.values().forEach(Rendezvous::endIfSomebodyIsAbsent);
  }

  /** Ends all waits because the group is poisoned or closed. */
  void endAll() {
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

    private int rank(int place) {
      if (pair == null) {
        return place;
      }
      return place == 0 ? pair.source() : pair.destination();
    }

    @Override
    public void act(List<RankCall> calls, Round round) {
      RankCalls.this.act(calls, round);
    }

    @Override
    public @Nullable Departure whyAbsent(int place) {
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
          waiting.call(),
          missing.size(),
          pair == null ? ranks : 2,
          missing.stream().limit(8).map(this::describe).collect(Collectors.joining(", "))
              + (missing.size() > 8 ? ", …" : ""));
    }

    private String describe(int place) {
      int rank = rank(place);
      RankRequest doing = activity.get(rank);
      return name(rank)
          + (doing == null ? " is in no call" + callers.ended(rank) : " is in " + doing.call());
    }

    @Override
    public void poison(String cause) {
      group.poison(cause);
    }

    @Override
    public void requireUsable() {
      group.requireUsable();
    }
  }
}
