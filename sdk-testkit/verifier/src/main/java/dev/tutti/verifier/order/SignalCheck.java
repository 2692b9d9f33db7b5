package dev.tutti.verifier.order;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.function.IntPredicate;

/** Rules SYN-2 and SYN-4: settles what the first pass has left open about notifies. */
final class SignalCheck {

  /*
   * The order of a plan comes from its streams, from entering the operation before anything in it,
   * and from the k-th post of a cell, which happens before its k-th await. For that pairing to hold
   * in every run, not only in the one walked here, two conditions are checked for every cell, and
   * they are exact:
   *
   * (1) The k-th await happens before post k+1. Else there is a run in which both posts are done and
   *     the await is not (the downward closures of the two posts form a reachable state without it):
   *     the bit is set twice and a signal lost.
   * (2) The k-th await happens before the event that precedes await k+1 in its stream, or is that
   *     event. Else there is a run in which both awaits are reached and one signal is there: either
   *     may take it.
   *
   * If both hold, posts and awaits of each cell alternate in one total order, and by induction over
   * the first event that would break it no run deviates from the order computed here. So a deadlock
   * or left-over signal seen here is seen in every run, and one not seen here in none.
   *
   * With notifies that hold d signals, (1) becomes: await k happens before post k+d. That is also
   * the answer to how deep a notify must be.
   */
  private final OrderFacts facts;
  private final NotifyDepth depth;
  private final Tally lost = new Tally(Rule.LOST_NOTIFY);
  private final Tally stolen = new Tally(Rule.STOLEN_NOTIFY);
  private boolean isDepthKnown = true;

  /**
   * A check.
   *
   * @param hasLeftOvers whether signals of a cell are left over
   */
  SignalCheck(OrderFacts facts, IntPredicate hasLeftOvers) {
    this.facts = facts;
    this.depth = new NotifyDepth(facts, hasLeftOvers);
  }

  /**
   * A post comes after another signal of its cell.
   *
   * @param awaitStream the stream of the await that should come before it, or {@link
   *     FirstPass#NEVER} if in the walk that await comes later
   */
  void post(int awaitStream, int awaitEvent, int stream, int event, int cell) {
    FlatStream code = facts.stream(stream);
    if (!lost.isWanted(() -> code.origin(event))) {
      isDepthKnown &= depth.of(cell) != OrderSummary.UNBOUNDED;
    } else if (awaitStream == FirstPass.NEVER
        || !facts.reach().isBefore(awaitStream, awaitEvent, stream, event)) {
      isDepthKnown &= depth.of(cell) != OrderSummary.UNBOUNDED;
      lost.add(code.origin(event), () -> lostBy(awaitStream, awaitEvent, stream, event, cell));
    }
  }

  private Finding lostBy(int awaitStream, int awaitEvent, int stream, int event, int cell) {
    FlatStream code = facts.stream(stream);
    String message =
        code.describe(event)
            + " can come before the previous signal of that notify has been awaited, and is then"
            + " lost";
    String explanation = "";
    List<ActionRef> actions = List.of(code.ref(event));
    if (awaitStream != FirstPass.NEVER) {
      FlatStream other = facts.stream(awaitStream);
      message += ": nothing orders it after " + other.describe(awaitEvent);
      explanation = new Explanation(facts).of(awaitStream, awaitEvent, stream, event);
      actions = List.of(code.ref(event), other.ref(awaitEvent));
    }
    int safe = stolen.isEmpty() ? depth.of(cell) : OrderSummary.UNBOUNDED;
    if (safe != OrderSummary.UNBOUNDED) {
      message += "; a notify that can hold " + safe + " signals would lose none";
    }
    return new Finding(Rule.LOST_NOTIFY, message, actions, explanation);
  }

  /**
   * An await comes after an await of its cell by another stream.
   *
   * @param beforeStream the stream of the earlier await
   */
  void await(int beforeStream, int beforeEvent, int stream, int event) {
    FlatStream earlier = facts.stream(beforeStream);
    FlatStream later = facts.stream(stream);
    String key = Clash.key(earlier, beforeEvent, later, event);
    if (stolen.isWanted(() -> key)
        && (event == 0 || !facts.reach().isBefore(beforeStream, beforeEvent, stream, event - 1))) {
      stolen.add(key, () -> stolenBy(beforeStream, beforeEvent, stream, event));
    }
  }

  private Finding stolenBy(int beforeStream, int beforeEvent, int stream, int event) {
    FlatStream earlier = facts.stream(beforeStream);
    FlatStream later = facts.stream(stream);
    return new Finding(
        Rule.STOLEN_NOTIFY,
        later.describe(event)
            + " and "
            + earlier.describe(beforeEvent)
            + " await one notify, and nothing orders them: either may take the other's signal",
        List.of(earlier.ref(beforeEvent), later.ref(event)),
        "");
  }

  /** Passes the findings on. */
  void report(Findings findings) {
    lost.report(findings);
    stolen.report(findings);
  }

  /** How many signals each notify must hold, if the plan is complete. */
  int notifyDepth() {
    return isDepthKnown && stolen.isEmpty() ? depth.largest() : OrderSummary.UNBOUNDED;
  }
}
