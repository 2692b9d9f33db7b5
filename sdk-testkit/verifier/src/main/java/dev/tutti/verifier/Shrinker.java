package dev.tutti.verifier;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Searches for the smallest case that still fails: with default values of the algorithm's
 * parameters, then fewest ranks, then the smallest count, then the fewest levels, then the first
 * root and the lowest seed. Tries small values in ascending order, because wrong algorithms usually
 * fail at 2, 3 or 5 ranks. Stops after a time limit; the smallest case found so far also fails.
 */
final class Shrinker {

  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int MAX_SMALL_RANKS = 17;
  private static final int MAX_SEEDS = 8;

  private final Predicate<CollectiveCase> fails;
  private final long end = System.nanoTime() + LIMIT.toNanos();
  private CollectiveCase smallest;

  private Shrinker(CollectiveCase failing, Predicate<CollectiveCase> fails) {
    this.smallest = failing;
    this.fails = fails;
  }

  /**
   * The smallest case.
   *
   * @param failing a case that fails
   * @param fails whether a case fails in the same way
   */
  static CollectiveCase shrink(CollectiveCase failing, Predicate<CollectiveCase> fails) {
    Shrinker shrinker = new Shrinker(failing, fails);
    shrinker.takeFirst(shrinker.fewerOptions());
    shrinker.takeFirst(shrinker.fewerRanks());
    shrinker.takeFirst(shrinker.smallerCounts());
    shrinker.takeFirst(shrinker.fewerLevels());
    shrinker.takeFirst(shrinker.lowerRoots());
    shrinker.takeFirst(shrinker.lowerSeeds());
    return shrinker.smallest;
  }

  private void takeFirst(List<CollectiveCase> candidates) {
    for (CollectiveCase candidate : candidates) {
      if (System.nanoTime() - end > 0) {
        return;
      }
      if (fails.test(candidate)) {
        smallest = candidate;
        return;
      }
    }
  }

  /** All parameters at their defaults, or else one of them. */
  private List<CollectiveCase> fewerOptions() {
    Map<String, String> values = smallest.options().values();
    Set<CollectiveCase> candidates = new LinkedHashSet<>();
    if (!values.isEmpty()) {
      candidates.add(smallest.withOptions(AlgOptions.none()));
    }
    for (String name : values.keySet()) {
      Map<String, String> others = new HashMap<>(values);
      others.remove(name);
      candidates.add(smallest.withOptions(new AlgOptions(others)));
    }
    return List.copyOf(candidates);
  }

  /** Fewer ranks: for each number, first the head of the current topology, then one node. */
  private List<CollectiveCase> fewerRanks() {
    int ranks = smallest.comm().rankSize();
    List<CollectiveCase> candidates = new ArrayList<>();
    for (int n = 1; n < ranks; n = n < MAX_SMALL_RANKS ? n + 1 : n * 2) {
      Set<Topology> topologies = new LinkedHashSet<>();
      topologies.add(head(smallest.topology(), n));
      topologies.add(Topology.flat(n));
      for (Topology topology : topologies) {
        addValid(candidates, topology);
      }
    }
    return candidates;
  }

  private void addValid(List<CollectiveCase> candidates, Topology topology) {
    try {
      candidates.add(smallest.withTopology(topology));
    } catch (TuttiException e) {
      // The case is not possible with so few ranks, so there is nothing to try.
      return;
    }
  }

  /** The first ranks of a topology. */
  static Topology head(Topology whole, int ranks) {
    List<int[]> pods = new ArrayList<>();
    List<Integer> nodes = new ArrayList<>();
    int pod = 0;
    int rank = 0;
    while (rank < ranks) {
      if (whole.podOf(rank) != pod) {
        pods.add(nodes.stream().mapToInt(Integer::intValue).toArray());
        nodes.clear();
        pod = whole.podOf(rank);
      }
      int size = Math.min(whole.nodeSize(whole.nodeOf(rank)), ranks - rank);
      nodes.add(size);
      rank += size;
    }
    pods.add(nodes.stream().mapToInt(Integer::intValue).toArray());
    return Topology.pods(pods);
  }

  private List<CollectiveCase> smallerCounts() {
    long count = smallest.count();
    long ranks = smallest.comm().rankSize();
    Set<Long> counts = new LinkedHashSet<>();
    LongStream.rangeClosed(0, 9).forEach(counts::add);
    LongStream.of(ranks - 1, ranks, ranks + 1, 2 * ranks, 2 * ranks + 1)
        .sorted()
        .forEach(counts::add);
    for (long n = 16; n < count && n > 0; n *= 2) {
      counts.add(n);
    }
    return counts.stream().filter(n -> n < count).map(smallest::withCount).toList();
  }

  private List<CollectiveCase> fewerLevels() {
    CommInfo comm = smallest.comm();
    Topology flat = Topology.flat(comm.rankSize());
    return flat.equals(comm.topology()) ? List.of() : List.of(smallest.withTopology(flat));
  }

  private List<CollectiveCase> lowerRoots() {
    List<CollectiveCase> candidates = new ArrayList<>();
    for (int root = 0; root < Math.min(smallest.root(), MAX_SMALL_RANKS); root++) {
      candidates.add(smallest.withRoot(root));
    }
    return candidates;
  }

  private List<CollectiveCase> lowerSeeds() {
    return LongStream.rangeClosed(1, MAX_SEEDS)
        .filter(seed -> seed < smallest.seed())
        .mapToObj(smallest::withSeed)
        .toList();
  }
}
