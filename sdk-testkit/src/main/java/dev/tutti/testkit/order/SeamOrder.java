package dev.tutti.testkit.order;

import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The order between two operations, for their checks: what is cheap to know comes first. */
final class SeamOrder {

  private static final int MAX_LISTED = 8;

  private final OrderFacts first;
  private final OrderFacts second;
  private @Nullable Seam seam;

  SeamOrder(OrderFacts first, OrderFacts second) {
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
    int rank1 = first.stream(stream1).rank();
    int rank2 = second.stream(stream2).rank();
    FlatPlan plan = first.plan();
    return rank1 == rank2
        || first.heard().knows(plan.mainStream(rank2), stream1, event1)
        || second.heard().knowsBegin(stream2, event2, rank1)
        || seam().isOrdered(stream1, event1, stream2, event2);
  }

  private Seam seam() {
    Seam known = seam;
    if (known == null) {
      known = new Seam(first, second);
      seam = known;
    }
    return known;
  }

  /** Why they are not in order, in lines. */
  String explain(int stream1, int event1, int stream2, int event2) {
    FlatStream one = stream1(stream1);
    FlatStream other = stream2(stream2);
    return """
    first operation:  %s
    second operation: %s
    that the former is done is known, when the first operation returns, to %s only
    before the latter, the second operation has heard from %s only
    to order them: let %s tell rank %d before the first operation returns, or let %s wait for \
    rank %d in the second operation before it does this\
    """
        .formatted(
            one.describe(event1),
            other.describe(event2),
            ranks(seam().ranksAware(stream1, event1)),
            ranks(seam().ranksHeard(stream2, event2)),
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
