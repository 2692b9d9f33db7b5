package dev.tutti.verifier.order;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.RankRanges;
import java.util.List;

/**
 * Which streams access which memory, and from when to when; without the accesses of a rank to its
 * own input and output.
 */
final class Users {

  /** Flag: the stream writes the memory. */
  static final int WRITES = 1;

  /** Flag: the stream may access the memory before its rank has entered the operation. */
  static final int NOT_OPENED = 2;

  /** Flag: the stream may access the memory after its rank has left the operation. */
  static final int NOT_CLOSED = 4;

  /** The uses of some ranks in a row each. */
  private final List<UseList> parts;

  private Users(List<UseList> parts) {
    this.parts = parts;
  }

  /**
   * The accesses of a plan.
   *
   * @param position for each stream the event that it does not get past
   * @param workers the number of threads, the calling one included
   */
  static Users of(FlatPlan plan, int[] position, int workers) {
    return new Users(
        RankRanges.map(
            plan.plan().rankSize(), workers, (from, to) -> UseList.of(plan, from, to, position)));
  }

  /** Whether a memory is a rank's input or output, and so its caller's outside the operation. */
  static boolean isOfCaller(int memory) {
    TransportMemType type = FlatPlan.memoryType(memory);
    return type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT;
  }

  /** Sees a stream's use of a memory. */
  interface Visitor {
    /**
     * A use.
     *
     * @param first the first access
     * @param last the last access
     * @param flags what is known of it
     * @return flags to add
     */
    int use(int stream, int memory, int first, int last, int flags);
  }

  /** Knows of a stream's use of a memory. */
  interface Filter {
    /** Whether a use is of interest. */
    boolean test(int stream, int memory, int first, int last);
  }

  /** Shows all uses, rank by rank. */
  void forEach(Visitor visitor) {
    parts.forEach(part -> part.forEach(visitor));
  }

  /**
   * Shows some uses, rank by rank.
   *
   * @param filter chooses them; is asked by several threads at once, before any use is shown
   */
  void forEach(Filter filter, Visitor visitor) {
    List<int[]> chosen = RankRanges.map(parts, part -> part.places(filter));
    for (int i = 0; i < chosen.size(); i++) {
      parts.get(i).forEach(chosen.get(i), visitor);
    }
  }
}
