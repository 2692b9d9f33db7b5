package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.pool.Candidate;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The plans of a group from which others can be made. Their key has all properties except the
 * counts. If they take too many bytes, the least recently used plan is dropped. Thread-safe.
 */
final class KnownPlans {

  /** The largest number of plans with different structures per shape. */
  private static final int MAX_OF_SHAPE = 64;

  /** The largest number of plans that are tried for a new count. */
  private static final int MAX_TRIED = 6;

  private static final long MAX_BYTES = 64 << 20;

  private final Map<Shape, List<KnownPlan>> known = new HashMap<>();
  private final AtomicLong turns = new AtomicLong();

  /**
   * The common properties of plans with different counts. They only determine which plans are
   * tried.
   *
   * @param call the call without its counts
   */
  record Shape(
      Algorithm algorithm,
      AlgOptions parameters,
      CollectiveCall call,
      boolean inPlace,
      WorkflowMode mode,
      Protocols protocols,
      Determinism determinism) {

    static Shape of(PlanKey key, Candidate candidate) {
      return new Shape(
          candidate.algorithm(),
          candidate.parameters(),
          key.call().withCounts(count -> 0),
          key.inPlace(),
          key.mode(),
          key.protocols(),
          key.determinism());
    }
  }

  /** The plans to try for a size, the best first. */
  synchronized List<KnownPlan> nearest(Shape shape, long bytes) {
    List<KnownPlan> all = known.get(shape);
    if (all == null || all.size() == 1) {
      return all == null ? List.of() : List.copyOf(all);
    }
    return all.stream()
        .sorted(Comparator.comparingDouble(each -> each.distance(bytes)))
        .limit(MAX_TRIED)
        .toList();
  }

  /** The number of the next use. */
  long nextTurn() {
    return turns.incrementAndGet();
  }

  /** Adds a plan that could not be made from another one. */
  synchronized void add(Shape shape, KnownPlan plan) {
    List<KnownPlan> all = known.computeIfAbsent(shape, key -> new ArrayList<>());
    if (all.size() == MAX_OF_SHAPE) {
      all.remove(eldest(all));
    }
    all.add(plan);
    while (size() > 1 && heapBytes() > MAX_BYTES) {
      List<KnownPlan> some = known.values().stream().flatMap(List::stream).toList();
      KnownPlan eldest = eldest(some);
      known.values().forEach(each -> each.remove(eldest));
      known.values().removeIf(List::isEmpty);
    }
  }

  private static KnownPlan eldest(List<KnownPlan> some) {
    return Collections.min(some, Comparator.comparingLong(KnownPlan::turn));
  }

  /** The number of plans. */
  synchronized int size() {
    return known.values().stream().mapToInt(List::size).sum();
  }

  synchronized long heapBytes() {
    return known.values().stream().flatMap(List::stream).mapToLong(KnownPlan::heapBytes).sum();
  }

  /** Drops all plans, because their algorithms may no longer be served. */
  synchronized void clear() {
    known.clear();
  }
}
