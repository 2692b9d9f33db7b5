package dev.tutti.verifier.explain;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.WaitGraph;
import dev.tutti.simulator.page.Lanes;
import dev.tutti.simulator.page.Lanes.MarkKind;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Marks findings in a drawing: the missing order between two actions and the bytes that both use,
 * the cycle of waits, or just the actions.
 */
final class FindingMarks {

  /** The place of an action that the plan does not have. */
  static final long NOWHERE = -1;

  /** Rules whose findings name two actions, the first of which should come before the second. */
  private static final Set<Rule> ORDERS =
      Set.of(
          Rule.RACE, Rule.OUTSIDE_CALL, Rule.SEQUENCE_RACE, Rule.STOLEN_NOTIFY, Rule.LOST_NOTIFY);

  private final FlatPlan plan;
  private final Steps steps;
  private final Lanes lanes;

  /** An access of an action to a memory. */
  private record Use(int memory, long from, long to, String manner) {}

  FindingMarks(FlatPlan plan, Steps steps, Lanes lanes) {
    this.plan = plan;
    this.steps = steps;
    this.lanes = lanes;
  }

  /** A stream and an event in one number. */
  static long place(int stream, int event) {
    return (long) stream << 32 | event;
  }

  static int stream(long place) {
    return (int) (place >>> 32);
  }

  static int event(long place) {
    return (int) place;
  }

  /** The place of an action; NOWHERE if the plan does not have it. */
  long find(ActionRef wanted) {
    for (int stream = plan.mainStream(wanted.rank());
        stream < plan.endOfRank(wanted.rank());
        stream++) {
      FlatStream code = steps.stream(stream);
      for (int event = 0; code.number() == wanted.stream() && event < code.size(); event++) {
        if (code.action(event) == wanted.action() && code.ref(event).text().equals(wanted.text())) {
          return place(stream, event);
        }
      }
    }
    return NOWHERE;
  }

  /**
   * Marks a finding.
   *
   * @param items the drawn actions by place
   */
  void add(Finding finding, Map<Long, Integer> items) {
    Lanes.Mark mark = lanes.mark(finding.rule().id() + " " + finding.rule().title());
    List<Long> places = new ArrayList<>();
    for (ActionRef action : finding.actions()) {
      long place = find(action);
      Integer item = items.get(place);
      if (item != null) {
        places.add(place);
        mark.item(item);
      }
    }
    if (finding.rule() == Rule.DEADLOCK) {
      addWaits(mark, items);
    } else if (ORDERS.contains(finding.rule()) && places.size() == 2) {
      // A finding about a lost signal names the post first, but the post should come after the
      // await.
      boolean isSwapped = finding.rule() == Rule.LOST_NOTIFY;
      long first = places.get(isSwapped ? 1 : 0);
      long second = places.get(isSwapped ? 0 : 1);
      mark.arrow(
          items.getOrDefault(first, 0),
          items.getOrDefault(second, 0),
          MarkKind.MISSING,
          finding.rule() == Rule.SEQUENCE_RACE
              ? "nothing orders this before the next operation"
              : "nothing orders these");
      addOverlaps(mark, first, second);
    }
  }

  /**
   * Adds an arrow from each wait to the post that would end it, and from there to the action at
   * which the posting stream waits.
   */
  private void addWaits(Lanes.Mark mark, Map<Long, Integer> items) {
    if (steps.isComplete()) {
      return;
    }
    for (WaitGraph.Wait wait : new WaitGraph(plan, steps.position()).waits()) {
      Integer await = items.get(place(wait.stream(), wait.event()));
      Integer post = wait.post() < 0 ? null : items.get(place(wait.postStream(), wait.post()));
      if (await == null || post == null) {
        continue;
      }
      mark.arrow(await, post, MarkKind.WAIT, "waits for this post");
      Integer standing = items.get(place(wait.postStream(), steps.position()[wait.postStream()]));
      if (standing != null && !standing.equals(post)) {
        mark.arrow(post, standing, MarkKind.WAIT, "comes after this await");
      }
    }
  }

  private void addOverlaps(Lanes.Mark mark, long first, long second) {
    for (Use one : uses(first)) {
      for (Use other : uses(second)) {
        boolean isOverlap =
            one.memory == other.memory && one.from < other.to && other.from < one.to;
        if (isOverlap && !(one.manner.equals("reads") && other.manner.equals("reads"))) {
          mark.overlap(
              plan.memoryName(one.memory),
              "first: " + who(first) + " " + one.manner,
              "second: " + who(second) + " " + other.manner,
              one.from,
              one.to,
              other.from,
              other.to);
        }
      }
    }
  }

  private String who(long place) {
    ActionRef ref = steps.stream(stream(place)).ref(event(place));
    return "rank " + ref.rank() + " '" + ref.text() + "'";
  }

  /** The memory that a data action reads and writes; empty for other kinds of actions. */
  private List<Use> uses(long place) {
    List<Use> uses = new ArrayList<>();
    FlatStream code = steps.stream(stream(place));
    int event = event(place);
    if (code.sync(event) != FlatStream.DATA) {
      return uses;
    }
    RankPlan own = code.plan(event);
    int action = code.action(event);
    long bytes = own.bytes(action);
    for (int i = 0; i < own.sourceCount(action); i++) {
      long from = own.srcOffset(action, i);
      uses.add(
          new Use(
              plan.memory(own.srcRank(action, i), own.srcType(action, i)),
              from,
              from + bytes,
              "reads"));
    }
    long from = own.dstOffset(action);
    uses.add(
        new Use(
            plan.memory(own.dstRank(action), own.dstType(action)),
            from,
            from + bytes,
            own.kind(action) == ActionKind.REDUCE ? "updates" : "writes"));
    return uses;
  }
}
