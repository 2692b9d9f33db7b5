package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatStream;

/**
 * Explains in lines why one event of a plan does not happen before another: it shows how far the
 * signals reach.
 */
final class Explanation {

  private final OrderFacts facts;

  Explanation(OrderFacts facts) {
    this.facts = facts;
  }

  /** Explains that event 1 of stream 1 does not happen before event 2 of stream 2. */
  String of(int stream1, int event1, int stream2, int event2) {
    FlatStream one = facts.stream(stream1);
    FlatStream other = facts.stream(stream2);
    StringBuilder text = new StringBuilder();
    line(text, "first:  ", one, event1);
    line(text, "second: ", other, event2);
    int knowledge = facts.reach().lastBefore(stream1, stream2, event2);
    text.append("the second is ordered after ");
    if (knowledge < 0) {
      text.append("no action of ").append(one.name()).append('\n');
    } else {
      text.append(one.name()).append(" up to ").append(place(one, knowledge));
      text.append(", which comes before the first\n");
    }
    int aware = facts.reach().firstAfter(stream2, stream1, event1);
    text.append("the first is ordered before ");
    if (aware < 0) {
      text.append("no action of ").append(other.name()).append('\n');
    } else {
      text.append(other.name()).append(" from ").append(place(other, aware));
      text.append(", which comes after the second\n");
    }
    return text.append(remedy(one, event1, other, event2)).toString();
  }

  private static void line(StringBuilder text, String label, FlatStream code, int event) {
    text.append(label).append(code.describe(event));
    if (code.isAction(event)) {
      text.append(", action ").append(code.action(event));
    }
    text.append('\n');
  }

  private static String place(FlatStream code, int event) {
    if (!code.isAction(event)) {
      return code.describe(event);
    }
    return "action " + code.action(event) + ", " + code.ref(event).text();
  }

  private static String remedy(FlatStream one, int event1, FlatStream other, int event2) {
    int begin = one.sync(event1);
    int end = other.sync(event2);
    if (begin == FlatStream.BEGIN) {
      return "to order them: let rank "
          + one.rank()
          + " post a notify when it has entered, and let "
          + other.name()
          + " await it before the access";
    }
    return "to order them: let "
        + one.name()
        + " post a notify after the first, and let "
        + other.name()
        + (end == FlatStream.END
            ? " await it before the operation returns"
            : " await it before the second")
        + ", directly or through others";
  }
}
