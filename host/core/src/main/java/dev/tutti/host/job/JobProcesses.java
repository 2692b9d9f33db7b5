package dev.tutti.host.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The processes of a job, by their number. Each has one rank or several, which follow those of the
 * previous process.
 *
 * @param own the number of this process
 * @param numbers their process numbers on their machines
 * @param machines their machines: the same text for all processes of a machine, and for no others
 * @param ranks the number of ranks of each process
 */
record JobProcesses(int own, long[] numbers, String[] machines, int[] ranks) {

  /** The number of processes. */
  int count() {
    return numbers.length;
  }

  /** The number of ranks of all processes. */
  int size() {
    return firstRank(count());
  }

  /** The first rank of a process, which is also the number of ranks of all processes before it. */
  int firstRank(int process) {
    int first = 0;
    for (int before = 0; before < process; before++) {
      first += ranks[before];
    }
    return first;
  }

  /** The process of a rank. */
  int processOf(int rank) {
    int process = 0;
    int end = ranks[0];
    while (rank >= end) {
      process++;
      end += ranks[process];
    }
    return process;
  }

  /** Whether the process of a rank is on this machine. */
  boolean isHere(int rank) {
    return isOnThisMachine(processOf(rank));
  }

  private boolean isOnThisMachine(int process) {
    return machines[process].equals(machines[own]);
  }

  /**
   * The topology with a node for each machine; empty if there is only one machine, or if the ranks
   * of a machine are not consecutive.
   */
  Optional<Topology> topology() {
    Map<String, Integer> nodes = new LinkedHashMap<>();
    String last = "";
    for (int process = 0; process < count(); process++) {
      String machine = machines[process];
      if (!machine.equals(last) && nodes.containsKey(machine)) {
        return Optional.empty();
      }
      nodes.merge(machine, ranks[process], Integer::sum);
      last = machine;
    }
    return nodes.size() < 2
        ? Optional.empty()
        : Optional.of(
            Topology.nodes(nodes.values().stream().mapToInt(Integer::intValue).toArray()));
  }

  /** Whether a process has ended, as far as this machine knows. */
  boolean hasEnded(int process) {
    return isOnThisMachine(process) && !ProcessState.of(numbers[process]).isAlive();
  }

  /** Whether a process is stopped by a signal or a debugger, as far as this machine knows. */
  boolean isStopped(int process) {
    return isOnThisMachine(process) && ProcessState.of(numbers[process]) == ProcessState.STOPPED;
  }

  /** The numbers of ranks of the processes, for example {@code "2+2"}. */
  String shape() {
    return IntStream.of(ranks).mapToObj(String::valueOf).collect(Collectors.joining("+"));
  }

  /**
   * The process of a rank in words: with its state if it is stopped or has ended, or with its
   * machine if that is another one.
   */
  String describe(int rank) {
    int process = processOf(rank);
    long number = numbers[process];
    return isOnThisMachine(process)
        ? ProcessState.of(number).describe(number)
        : "process " + number + " of " + machines[process];
  }

  /** A sentence: a process has ended with all its ranks. */
  String lost(int process) {
    return Sentence.of(
        "%s %s lost: process %d has ended",
        rankNames(process), ranks[process] == 1 ? "is" : "are", numbers[process]);
  }

  /** A sentence: a process has left the job with all its ranks. */
  String left(int process) {
    return Sentence.of(
        "%s %s left the job", rankNames(process), ranks[process] == 1 ? "has" : "have");
  }

  /** The ranks of a process, in words. */
  String rankNames(int process) {
    int first = firstRank(process);
    String names =
        IntStream.range(first, first + ranks[process])
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(", "));
    return (ranks[process] == 1 ? "rank " : "ranks ") + names;
  }
}
