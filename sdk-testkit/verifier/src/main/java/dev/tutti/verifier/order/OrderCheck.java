package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.WaitGraph;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges the order that the notifies of a plan enforce, for all schedules at once: rules SYN-1 to
 * SYN-5, MEM-1 and MEM-2. The verdict is exact: each reported error happens in some schedule, and
 * no other error happens in any.
 *
 * <p>Time grows with the number of actions times its logarithm, and memory with the size of the
 * plan. Two events that are ordered only through other streams cost one search among the events
 * between them.
 */
public final class OrderCheck {

  private OrderCheck() {}

  /**
   * Checks one operation.
   *
   * @param atomicReductions whether reductions of the same span, type and operation into one memory
   *     can run at the same time
   */
  public static OrderSummary check(FlatPlan plan, boolean atomicReductions, Findings findings) {
    Segments segments = Segments.ofWritten(plan, 1);
    return check(plan, segments, Moves.of(plan, segments, 1), atomicReductions, 1, findings);
  }

  /**
   * Checks one operation whose memories are already cut into segments.
   *
   * @param segments segments of the memories that the plan writes
   * @param moves the moves of the plan
   * @param workers the number of threads, the calling one included
   */
  public static OrderSummary check(
      FlatPlan plan,
      Segments segments,
      Moves moves,
      boolean atomicReductions,
      int workers,
      Findings findings) {
    FirstPass pass = new FirstPass(plan, segments, moves, atomicReductions);
    Users users = Users.of(plan, pass.walk().position(), workers);
    OrderFacts facts =
        new OrderFacts(
            plan, pass.rankOf(), pass.signals(), pass.knowledge(), users, atomicReductions);
    if (pass.isComplete()) {
      checkLeftOvers(plan, pass, findings);
    } else {
      findings.add(deadlock(new WaitGraph(plan, pass.walk().position())));
    }
    SignalCheck signals = new SignalCheck(facts, cell -> pass.walk().pending(cell) > 0);
    RaceCheck races = new RaceCheck(facts, pass.segments());
    pass.questions()
        .forEach(
            (stream1, event1, stream2, event2, topic, from, to) -> {
              switch (topic) {
                case FirstPass.LOST -> signals.post(stream1, event1, stream2, event2, from);
                case FirstPass.STOLEN -> signals.await(stream1, event1, stream2, event2);
                default -> races.question(stream1, event1, stream2, event2, from, to);
              }
            });
    signals.report(findings);
    races.report(findings);
    new CallCheck(facts, pass::hasEnded).report(findings);
    return new OrderSummary(
        facts,
        pass.isComplete(),
        pass.isComplete() ? signals.notifyDepth() : OrderSummary.UNBOUNDED);
  }

  private static void checkLeftOvers(FlatPlan plan, FirstPass pass, Findings findings) {
    Map<Integer, Integer> left = new LinkedHashMap<>();
    for (int cell = 0; cell < plan.cellCount(); cell++) {
      int count = pass.walk().pending(cell);
      if (count > 0) {
        left.put(cell, count);
      }
    }
    if (left.isEmpty()) {
      return;
    }
    for (FlatStream stream : plan.streams()) {
      for (int event = stream.size() - 1; event >= 0; event--) {
        int sync = stream.sync(event);
        Integer count = FlatStream.isPost(sync) ? left.remove(FlatStream.cell(sync)) : null;
        if (count != null) {
          addLeftOver(stream, event, count, findings);
        }
      }
    }
  }

  private static void addLeftOver(FlatStream stream, int event, int count, Findings findings) {
    findings.add(
        Rule.LEFT_OVER_NOTIFY,
        stream.origin(event),
        () ->
            new Finding(
                Rule.LEFT_OVER_NOTIFY,
                stream.describe(event)
                    + " is never awaited: "
                    + count
                    + (count == 1 ? " signal left over" : " signals left over"),
                List.of(stream.ref(event)),
                ""));
  }

  private static Finding deadlock(WaitGraph waits) {
    return new Finding(Rule.DEADLOCK, waits.describe(), waits.actions(), waits.explain());
  }
}
