package dev.tutti.verifier.order;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.RankRanges;
import java.util.List;

/**
 * The streams that access each memory, with their first and last access. Accesses of a rank to its
 * own input and output are left out.
 */
final class Users {

  /** Flag: the stream writes the memory. */
  static final int WRITES = 1;

  /** Flag: the stream may access the memory before the memory's rank has entered the operation. */
  static final int NOT_OPENED = 2;

  /** Flag: the stream may access the memory after the memory's rank has left the operation. */
  static final int NOT_CLOSED = 4;

  /** The uses; each part covers consecutive ranks. */
  private final List<UseList> parts;

  private Users(List<UseList> parts) {
    this.parts = parts;
  }

  /**
   * The accesses of a plan.
   *
   * @param position for each stream, the first event that it does not complete
   * @param workers the number of threads, the calling one included
   */
  static Users of(FlatPlan plan, int[] position, int workers) {
    return new Users(
        RankRanges.map(
            plan.plan().rankSize(), workers, (from, to) -> UseList.of(plan, from, to, position)));
  }

  /**
   * Whether a memory is a rank's input or output. It belongs to the caller outside the operation.
   */
  static boolean isOfCaller(int memory) {
    TransportMemType type = FlatPlan.memoryType(memory);
    return type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT;
  }

  /** Receives each stream's use of a memory. */
  interface Visitor {
    /**
     * A use.
     *
     * @param first the first access
     * @param last the last access
     * @param flags the flags noted so far
     * @return flags to add
     */
    int use(int stream, int memory, int first, int last, int flags);
  }

  /** Selects uses of memories by streams. */
  interface Filter {
    /** Whether to visit a use. */
    boolean test(int stream, int memory, int first, int last);
  }

  /** Visits all uses, rank by rank. */
  void forEach(Visitor visitor) {
    parts.forEach(part -> part.forEach(visitor));
  }

  /**
   * Visits the selected uses, rank by rank.
   *
   * @param filter selects the uses; several threads call it at once, before the first visit
   */
  void forEach(Filter filter, Visitor visitor) {
    List<int[]> chosen = RankRanges.map(parts, part -> part.places(filter));
    for (int i = 0; i < chosen.size(); i++) {
      parts.get(i).forEach(chosen.get(i), visitor);
    }
  }
}
