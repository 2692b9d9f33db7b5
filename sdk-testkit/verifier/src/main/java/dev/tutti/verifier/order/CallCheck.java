package dev.tutti.verifier.order;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Checks rules SYN-5 and MEM-2: whether actions happen between the start and the end of each rank's
 * call. Notes the result for each use of another rank's memory.
 */
final class CallCheck {

  /*
   * Each rank starts and joins its own streams, or SYN-5 reports that it does not. MEM-2 then
   * judges as if it did: an event before the end of any stream of a rank counts as before the end
   * of the rank's call. So one missing join gives one finding, and hides no other.
   */
  private final OrderFacts facts;
  private final FlatPlan plan;
  private final IntPredicate hasEnded;
  private final Tally outside = new Tally(Rule.OUTSIDE_CALL);

  /**
   * A check.
   *
   * @param hasEnded whether a rank has reached the end of its call; if not, the check reports
   *     nothing about that end
   */
  CallCheck(OrderFacts facts, IntPredicate hasEnded) {
    this.facts = facts;
    this.plan = facts.plan();
    this.hasEnded = hasEnded;
  }

  void report(Findings findings) {
    for (int stream = 0; stream < plan.streams().size(); stream++) {
      if (!facts.stream(stream).isMain()) {
        checkSlave(stream, findings);
      }
    }
    facts.users().forEach(this::isOpen, this::checkUse);
    outside.report(findings);
  }

  private void checkSlave(int slave, Findings findings) {
    FlatStream code = facts.stream(slave);
    if (!FlatStream.isAwait(code.sync(0))) {
      findings.add(
          Rule.NOT_JOINED,
          code.origin(0),
          () ->
              new Finding(
                  Rule.NOT_JOINED,
                  code.describe(0)
                      + " is the first action of a slave stream; let the stream start with an await"
                      + " of the main stream",
                  List.of(code.ref(0)),
                  ""));
    }
    int main = plan.mainStream(code.rank());
    int last = code.size() - 1;
    if (hasEnded.test(code.rank())
        && !facts.knowledge().knows(main, slave, last)
        && !facts.reach().isBefore(slave, last, main, facts.stream(main).size() - 1)) {
      findings.add(
          Rule.NOT_JOINED,
          code.origin(last),
          () ->
              new Finding(
                  Rule.NOT_JOINED,
                  code.describe(last)
                      + " can still run when the main stream is done: let the slave stream end with"
                      + " a post that the main stream awaits",
                  List.of(code.ref(last)),
                  ""));
    }
  }

  /** Whether direct knowledge between streams does not prove a use safe. */
  private boolean isOpen(int stream, int memory, int first, int last) {
    int owner = FlatPlan.memoryRank(memory);
    int main = plan.mainStream(owner);
    return owner != facts.rank(stream)
        && (facts.knowledge().firstOf(stream, main) > first
            || (hasEnded.test(owner) && !facts.knowledge().knows(main, stream, last)));
  }

  private int checkUse(int stream, int memory, int first, int last, int flags) {
    int owner = FlatPlan.memoryRank(memory);
    int found = 0;
    if (!facts.isAfterBeginOf(owner, stream, first)) {
      found |= Users.NOT_OPENED;
    }
    if (hasEnded.test(owner) && !facts.isBeforeEndOf(owner, stream, last)) {
      found |= Users.NOT_CLOSED;
    }
    if (found != 0 && Users.isOfCaller(memory)) {
      reportUse(stream, memory, first, last, found);
    }
    return found;
  }

  /**
   * Reports all accesses of a use that may come before the owner's entry or after the owner's exit.
   */
  private void reportUse(int stream, int memory, int first, int last, int found) {
    FlatStream code = facts.stream(stream);
    int main = plan.mainStream(FlatPlan.memoryRank(memory));
    if (!outside.isWanted(() -> useKey(main, stream, first, last, found))) {
      return;
    }
    int end = facts.stream(main).size() - 1;
    int entered = Integer.MAX_VALUE;
    if ((found & Users.NOT_OPENED) != 0) {
      int aware = facts.reach().firstAfter(stream, main, 0);
      entered = aware < 0 ? Integer.MAX_VALUE : aware;
    }
    int left = (found & Users.NOT_CLOSED) == 0 ? Integer.MAX_VALUE : lastInCall(stream, main);
    for (int event = first; event <= last; event++) {
      if (code.sync(event) != FlatStream.DATA) {
        continue;
      }
      if ((found & Users.NOT_OPENED) != 0 && event < entered) {
        add(stream, event, memory, main, 0);
      }
      if ((found & Users.NOT_CLOSED) != 0 && event > left) {
        add(stream, event, memory, main, end);
      }
    }
  }

  private int lastInCall(int stream, int main) {
    int last = -1;
    int rank = facts.stream(main).rank();
    for (int own = main; own < facts.endOfRank(rank); own++) {
      int known = facts.reach().lastBefore(stream, own, facts.stream(own).size() - 1);
      last = Math.max(last, known);
    }
    return last;
  }

  private String useKey(int main, int stream, int first, int last, int found) {
    return (found & Users.NOT_OPENED) != 0
        ? key(stream, first, main, 0)
        : key(stream, last, main, facts.stream(main).size() - 1);
  }

  private String key(int stream, int event, int main, int border) {
    FlatStream owner = facts.stream(main);
    FlatStream code = facts.stream(stream);
    return border == 0
        ? Clash.key(owner, border, code, event)
        : Clash.key(code, event, owner, border);
  }

  /** Adds the accesses of an action to a caller's memory outside the call. */
  private void add(int stream, int event, int memory, int main, int border) {
    FlatStream code = facts.stream(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    long bytes = own.bytes(action);
    if (bytes == 0) {
      return;
    }
    for (int i = 0; i < own.sourceCount(action); i++) {
      if (plan.memory(own.srcRank(action, i), own.srcType(action, i)) == memory) {
        long from = own.srcOffset(action, i);
        add(stream, event, false, new Span(memory, from, from + bytes), main, border);
      }
    }
    if (plan.memory(own.dstRank(action), own.dstType(action)) == memory) {
      long from = own.dstOffset(action);
      add(stream, event, true, new Span(memory, from, from + bytes), main, border);
    }
  }

  private void add(int stream, int event, boolean isWrite, Span span, int main, int border) {
    FlatStream owner = facts.stream(main);
    FlatStream code = facts.stream(stream);
    Explanation explanation = new Explanation(facts);
    outside.add(
        key(stream, event, main, border),
        () ->
            border == 0
                ? new Clash(
                        Rule.OUTSIDE_CALL, plan, owner, border, true, code, event, isWrite, span)
                    .finding(explanation.of(main, border, stream, event))
                : new Clash(
                        Rule.OUTSIDE_CALL, plan, code, event, isWrite, owner, border, true, span)
                    .finding(explanation.of(stream, event, main, border)));
  }
}
