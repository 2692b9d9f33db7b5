package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.pool.Candidate;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plans of a group from which others can be made, by what they have in common but for the
 * counts. It keeps those that were used last. Thread-safe.
 */
final class KnownPlans {

  /** So many plans of one algorithm have structures of their own. */
  private static final int MAX_OF_SHAPE = 64;

  /** So many of them are tried for a new count. */
  private static final int MAX_TRIED = 6;

  private static final long MAX_BYTES = 64 << 20;

  private final Map<Shape, List<KnownPlan>> known = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * What plans have in common. It only tells which ones are worth a try.
   *
   * @param call without its counts
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

  /** The plans that are worth a try for a size, the best first. */
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

  /** Adds a plan that could not be made from another one. */
  synchronized void add(Shape shape, KnownPlan plan) {
    List<KnownPlan> all = known.computeIfAbsent(shape, key -> new ArrayList<>());
    if (all.size() == MAX_OF_SHAPE) {
      all.removeFirst();
    }
    all.add(plan);
    Iterator<List<KnownPlan>> eldest = known.values().iterator();
    long bytes = heapBytes();
    while (bytes > MAX_BYTES && known.size() > 1) {
      bytes -= heapBytes(eldest.next());
      eldest.remove();
    }
  }

  /** The number of plans. */
  synchronized int size() {
    return known.values().stream().mapToInt(List::size).sum();
  }

  synchronized long heapBytes() {
    return known.values().stream().mapToLong(KnownPlans::heapBytes).sum();
  }

  private static long heapBytes(List<KnownPlan> plans) {
    return plans.stream().mapToLong(KnownPlan::heapBytes).sum();
  }

  /** Forgets all, as their algorithms may not be served any more. */
  synchronized void clear() {
    known.clear();
  }
}
