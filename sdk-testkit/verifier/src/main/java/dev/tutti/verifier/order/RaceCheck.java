package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks rule MEM-1: answers the questions that the first pass left open, and examines again the
 * segments for which the answer was no.
 */
final class RaceCheck {

  private final OrderFacts facts;
  private final Segments segments;
  private final BitSet racy = new BitSet();
  private final Tally open = new Tally(Rule.RACE);
  private final Tally found = new Tally(Rule.RACE);
  private final Set<Pair> pairs = new HashSet<>();

  private record Pair(int stream1, int event1, int stream2, int event2) {}

  RaceCheck(OrderFacts facts, Segments segments) {
    this.facts = facts;
    this.segments = segments;
  }

  /**
   * Answers whether the first of two conflicting accesses happens before the second. If not, notes
   * the segments.
   */
  void question(int stream1, int event1, int stream2, int event2, int from, int to) {
    if (open.isWanted(() -> key(stream1, event1, stream2, event2))
        && !facts.reach().isBefore(stream1, event1, stream2, event2)) {
      open.add(
          key(stream1, event1, stream2, event2), () -> new Finding(Rule.RACE, "not yet described"));
      racy.set(from, to + 1);
    }
  }

  private String key(int stream1, int event1, int stream2, int event2) {
    return Clash.key(facts.stream(stream1), event1, facts.stream(stream2), event2);
  }

  void report(Findings findings) {
    if (racy.isEmpty()) {
      return;
    }
    new SegmentRaces(facts.plan(), segments, racy, facts.atomicReductions()).judge(this::isBefore);
    if (open.isCutShort()) {
      found.cutShort();
    }
    found.report(findings);
  }

  private boolean isBefore(
      int stream1,
      int event1,
      boolean isWrite1,
      int stream2,
      int event2,
      boolean isWrite2,
      int segment) {
    if (!found.isWanted(() -> key(stream1, event1, stream2, event2))) {
      return true;
    }
    if (facts.reach().isBefore(stream1, event1, stream2, event2)) {
      return true;
    }
    if (pairs.add(new Pair(stream1, event1, stream2, event2))) {
      found.add(
          key(stream1, event1, stream2, event2),
          () -> finding(stream1, event1, isWrite1, stream2, event2, isWrite2, segment));
    }
    return false;
  }

  private Finding finding(
      int stream1,
      int event1,
      boolean isWrite1,
      int stream2,
      int event2,
      boolean isWrite2,
      int segment) {
    FlatStream one = facts.stream(stream1);
    FlatStream other = facts.stream(stream2);
    int memory = segments.memory(segment);
    long offset = segments.start(segment);
    Span span = Span.of(facts.plan(), one, event1, isWrite1, memory, offset);
    Span second = Span.of(facts.plan(), other, event2, isWrite2, memory, offset);
    return new Clash(
            Rule.RACE,
            facts.plan(),
            one,
            event1,
            isWrite1,
            other,
            event2,
            isWrite2,
            span.intersect(second))
        .finding(new Explanation(facts).of(stream1, event1, stream2, event2));
  }
}
