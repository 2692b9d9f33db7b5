package dev.tutti.host.job;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The processes of the ranks of a group or of a meeting. The processes are numbered from 0 in the
 * order of their first ranks. Immutable.
 */
public final class GroupProcesses {

  private static final int NONE = -1;

  private final int[] processOf;
  private final int[] firstOf;
  private final int own;

  /**
   * The processes of some ranks.
   *
   * @param processOf a number for each rank that identifies its process
   * @param own the number of this process
   */
  GroupProcesses(int[] processOf, int own) {
    int[] given = IntStream.of(processOf).distinct().toArray();
    this.processOf = new int[processOf.length];
    this.firstOf = new int[given.length];
    int found = NONE;
    for (int process = 0; process < given.length; process++) {
      firstOf[process] = NONE;
      found = given[process] == own ? process : found;
      for (int rank = 0; rank < processOf.length; rank++) {
        if (processOf[rank] == given[process]) {
          this.processOf[rank] = process;
          firstOf[process] = firstOf[process] == NONE ? rank : firstOf[process];
        }
      }
    }
    this.own = found;
  }

  /** The processes of some of these ranks, which are numbered from 0 in the order given. */
  public GroupProcesses of(int[] ranks) {
    return new GroupProcesses(IntStream.of(ranks).map(rank -> processOf[rank]).toArray(), own);
  }

  /** The number of processes. */
  public int count() {
    return firstOf.length;
  }

  /** The process of each rank. */
  public int[] numbers() {
    return processOf.clone();
  }

  /** The process of a rank. */
  public int number(int rank) {
    return processOf[rank];
  }

  /** The number of this process; −1 if it has none of the ranks. */
  public int own() {
    return own;
  }

  /** The first rank of a process, which represents it. */
  public int first(int process) {
    return firstOf[process];
  }

  /** The first rank of each process. */
  public int[] firsts() {
    return firstOf.clone();
  }

  /** The ranks of a process. */
  public int[] ranks(int process) {
    return IntStream.range(0, processOf.length)
        .filter(rank -> processOf[rank] == process)
        .toArray();
  }

  /** The ranks of this process. */
  public int[] ownRanks() {
    return ranks(own);
  }

  /** Whether a rank is in this process. */
  public boolean isHere(int rank) {
    return processOf[rank] == own;
  }

  /** Whether all ranks are in this process. */
  public boolean areAllHere() {
    return firstOf.length == 1 && own == 0;
  }

  @Override
  public String toString() {
    return "ranks of processes " + Arrays.toString(processOf);
  }
}
