package dev.tutti.host.job;

import dev.tutti.sdk.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The processes of a job, by rank.
 *
 * @param own the rank of this process
 * @param numbers what their machines call them
 * @param machines their machines: the same text for all processes of one, and for no others
 */
record JobProcesses(int own, long[] numbers, String[] machines) {

  /** Whether the process of a rank is on this machine. */
  boolean isHere(int rank) {
    return machines[rank].equals(machines[own]);
  }

  /** A node for each machine; empty if there is one only, or its ranks are not in a row. */
  Optional<Topology> topology() {
    Map<String, Integer> ranks = new LinkedHashMap<>();
    String last = "";
    for (String machine : machines) {
      if (!machine.equals(last) && ranks.containsKey(machine)) {
        return Optional.empty();
      }
      ranks.merge(machine, 1, Integer::sum);
      last = machine;
    }
    return ranks.size() < 2
        ? Optional.empty()
        : Optional.of(
            Topology.nodes(ranks.values().stream().mapToInt(Integer::intValue).toArray()));
  }

  /** Whether the process of a rank has ended, as far as this machine knows. */
  boolean hasEnded(int rank) {
    return isHere(rank) && !ProcessState.of(numbers[rank]).isAlive();
  }

  /** The process of a rank, and what is special about it, in words. */
  String describe(int rank) {
    return isHere(rank)
        ? ProcessState.of(numbers[rank]).describe(numbers[rank])
        : "process " + numbers[rank] + " of " + machines[rank];
  }
}
