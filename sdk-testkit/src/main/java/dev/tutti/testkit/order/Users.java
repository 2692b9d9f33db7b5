package dev.tutti.testkit.order;

import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;

/**
 * Which streams access which memory, and from when to when; what a rank does with its own input and
 * output is left out. Not thread-safe.
 */
final class Users {

  /** Flag: the stream writes the memory. */
  static final int WRITES = 1;

  /** Flag: the stream may access the memory before its rank has entered the operation. */
  static final int NOT_OPENED = 2;

  /** Flag: the stream may access the memory after its rank has left the operation. */
  static final int NOT_CLOSED = 4;

  private static final int FIRST = 0;
  private static final int LAST = 1;
  private static final int FLAGS = 2;

  private final int[] rankOf;
  private final StreamTables tables;

  private Users(int[] rankOf) {
    this.rankOf = rankOf;
    this.tables = new StreamTables(rankOf.length, 3);
  }

  /**
   * The accesses of a plan.
   *
   * @param position for each stream the event that it does not get past
   */
  static Users of(FlatPlan plan, int[] position) {
    Users users = new Users(plan.streams().stream().mapToInt(FlatStream::rank).toArray());
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      plan.forEachAccess(
          rank,
          (stream, event, memory, offset, bytes, isWrite) -> {
            if (event < position[stream]) {
              users.use(memory, isWrite, stream, event);
            }
          });
    }
    return users;
  }

  /** A stream accesses a memory; for each stream in the order of its events. */
  private void use(int memory, boolean isWrite, int stream, int event) {
    if (FlatPlan.memoryRank(memory) == rankOf[stream] && isOfCaller(memory)) {
      return;
    }
    int at = tables.find(stream, memory);
    int[] table;
    if (at < 0) {
      at = tables.add(stream, memory);
      table = tables.table(stream);
      table[at + FIRST] = event;
    } else {
      table = tables.table(stream);
    }
    table[at + LAST] = event;
    if (isWrite) {
      table[at + FLAGS] |= WRITES;
    }
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

  /** Shows all uses, stream by stream. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < rankOf.length; i++) {
      int stream = i;
      tables.forEach(
          stream,
          (memory, table, at) ->
              table[at + FLAGS] |=
                  visitor.use(
                      stream, memory, table[at + FIRST], table[at + LAST], table[at + FLAGS]));
    }
  }
}
