package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatStream;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The order between two operations, for the checks of both. It tries cheap answers first. */
final class OperationOrder {

  private static final int MAX_LISTED = 8;

  private final OrderFacts first;
  private final OrderFacts second;
  private @Nullable BoundaryOrder boundary;

  OperationOrder(OrderFacts first, OrderFacts second) {
    this.first = first;
    this.second = second;
  }

  OrderFacts first() {
    return first;
  }

  OrderFacts second() {
    return second;
  }

  FlatStream stream1(int stream) {
    return first.stream(stream);
  }

  FlatStream stream2(int stream) {
    return second.stream(stream);
  }

  /** Whether event 1 of the first operation happens before event 2 of the second. */
  boolean isOrdered(int stream1, int event1, int stream2, int event2) {
    return event1 <= lastHeard(stream1, stream2)
        || event2 >= firstAware(stream1, stream2)
        || boundary().isOrdered(stream1, event1, stream2, event2);
  }

  /**
   * The last event of stream 1 of the first operation that the rank of stream 2 knows of directly
   * when it enters the second one; below 0 if there is none. Thread-safe.
   */
  int lastHeard(int stream1, int stream2) {
    int rank2 = second.rank(stream2);
    return first.rank(stream1) == rank2
        ? Integer.MAX_VALUE
        : first.knowledge().lastOf(first.plan().mainStream(rank2), stream1);
  }

  /**
   * The first event of stream 2 of the second operation that is known directly to come after the
   * entry of stream 1's rank; the largest int if there is none. Thread-safe.
   */
  int firstAware(int stream1, int stream2) {
    int main = second.plan().mainStream(first.rank(stream1));
    return second.knowledge().firstOf(stream2, main);
  }

  private BoundaryOrder boundary() {
    BoundaryOrder known = boundary;
    if (known == null) {
      known = new BoundaryOrder(first, second);
      boundary = known;
    }
    return known;
  }

  /** Explains in lines why the events are not in order. */
  String explain(int stream1, int event1, int stream2, int event2) {
    FlatStream one = stream1(stream1);
    FlatStream other = stream2(stream2);
    return """
    first operation:  %s
    second operation: %s
    when the first operation returns, only %s can know that the first action is done
    before the second action, the second operation has received signals only from %s
    to order them: let %s tell rank %d before the first operation returns, or let %s wait for \
    rank %d in the second operation before it does this\
    """
        .formatted(
            one.describe(event1),
            other.describe(event2),
            ranks(boundary().ranksAware(stream1, event1)),
            ranks(boundary().ranksHeard(stream2, event2)),
            one.name(),
            other.rank(),
            other.name(),
            one.rank());
  }

  private static String ranks(Set<Integer> ranks) {
    String listed =
        ranks.stream().limit(MAX_LISTED).map(String::valueOf).collect(Collectors.joining(", "));
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + listed
        + (ranks.size() > MAX_LISTED ? ", … (" + ranks.size() + " in all)" : "");
  }
}
