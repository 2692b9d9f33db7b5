package dev.tutti.host.rank;

import dev.tutti.host.buffers.Aliasing;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.Recording;
import dev.tutti.host.group.RequestOperation;
import dev.tutti.host.topology.RankNames;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Does what the ranks of a group ask for together, once they have met. Requests are kept for calls
 * that come again. Thread-safe.
 */
final class RendezvousExecutor {

  private static final int MAX_REQUESTS = 32;

  private final GroupCore core;
  private final Captures captures;
  private final GroupBindings bindings;
  private final Consumer<List<RankCall>> splitter;
  private final RankNames names;
  private final int ranks;
  private final Agreement agreement;
  private final IntFunction<@Nullable RankCall> ownCalls;

  /** Held during the run of a rank's request, so that transfers wait for each other. */
  private final ReentrantLock running = new ReentrantLock();

  private final LinkedHashMap<Shape, RequestOperation> requests =
      new LinkedHashMap<>(16, 0.75f, true);

  private record Shape(CollectiveCall call, CallOptions options, boolean inPlace) {}

  /**
   * For the ranks of a group.
   *
   * @param splitter makes the groups of all colours, from the calls of all ranks
   * @param ownCalls the call that a rank is in, with the buffers that the rank itself gave
   */
  RendezvousExecutor(
      GroupCore core,
      Captures captures,
      GroupBindings bindings,
      Consumer<List<RankCall>> splitter,
      IntFunction<@Nullable RankCall> ownCalls) {
    this.core = core;
    this.captures = captures;
    this.bindings = bindings;
    this.splitter = splitter;
    this.names = core.names();
    this.ranks = core.rankSize();
    this.agreement = new Agreement(names);
    this.ownCalls = ownCalls;
  }

  /**
   * Compares the calls and runs what they ask for, in the thread of the rank that came last.
   *
   * @param calls one per rank that takes part, by rank, with buffers that every thread can reach
   * @param round their meeting
   */
  void act(List<RankCall> calls, Round round) {
    agreement.check(calls, round.number());
    if (calls.getFirst().split() != null) {
      splitter.accept(calls);
      return;
    }
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
    if (Recording.isOfRanks(core.slot())) {
      captures.record(first.call(), first.options(), inputs, outputs);
      return;
    }
    running.lock();
    try {
      RequestOperation request =
          request(new Shape(first.call(), first.options(), inPlace), inputs, outputs);
      run(request, round);
    } finally {
      running.unlock();
    }
  }

  private static void run(RequestOperation request, Round round) {
    try {
      request.run(round);
    } finally {
      if (round.metNanos() != 0) {
        round.runs(request.facts());
      }
    }
  }

  /** Copies hide that two ranks gave the same array, so the ranks' own buffers are compared. */
  private void checkOverlaps(List<RankCall> calls) {
    @Nullable MemorySegment[] inputs = new MemorySegment[ranks];
    @Nullable MemorySegment[] outputs = new MemorySegment[ranks];
    boolean isCopied = false;
    for (RankCall reachable : calls) {
      RankCall own = ownCalls.apply(reachable.rank());
      if (own != null) {
        isCopied |=
            !SegmentComparison.isSameView(own.input(), reachable.input())
                || !SegmentComparison.isSameView(own.output(), reachable.output());
        inputs[own.rank()] = own.input();
        outputs[own.rank()] = own.output();
      }
    }
    if (isCopied) {
      Aliasing.checkOverlaps(inputs, outputs, names);
    }
  }

  private RequestOperation request(
      Shape shape, @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {
    RequestOperation known = requests.get(shape);
    if (known != null) {
      known.rebind(inputs, outputs);
      return known;
    }
    RequestOperation built = bindings.build(shape.call(), shape.options(), inputs, outputs);
    requests.put(shape, built);
    if (requests.size() > MAX_REQUESTS) {
      Map.Entry<Shape, RequestOperation> eldest = requests.firstEntry();
      requests.remove(eldest.getKey());
      eldest.getValue().close();
    }
    return built;
  }
}
