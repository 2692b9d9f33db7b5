package dev.tutti.verifier.order;

import dev.tutti.plan.ActionRef;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Checks rules SYN-2 and SYN-4: answers the questions about notifies that the first pass left open.
 */
final class SignalCheck {

  /*
   * The order of a plan has three sources: the order within each stream, the entry into the
   * operation, which comes before everything in it, and signals: the k-th post of a cell happens
   * before its k-th await. This pairing holds in every run, not only in the walked one, if two
   * conditions hold for every cell. Both conditions are exact:
   *
   * (1) The k-th await happens before post k+1. Otherwise there is a run in which both posts are done
   *     and the await is not (the downward closures of the two posts form a reachable state without
   *     it). Then the bit is set twice, and a signal is lost.
   * (2) The k-th await is the event before await k+1 in its stream, or happens before that event.
   *     Otherwise there is a run in which both awaits are reached and there is one signal. Then either
   *     await may take it.
   *
   * If both hold, the posts and awaits of each cell alternate in one total order. By induction over
   * the first event that would break this order, no run deviates from it. So a deadlock or a left-
   * over signal that the walk shows happens in every run, and one that it does not show happens in
   * none.
   *
   * If a notify holds d signals, (1) becomes: await k happens before post k+d. This also decides
   * how deep a notify must be.
   */
  private final OrderFacts facts;
  private final NotifyDepth depth;
  private final Tally lost = new Tally(Rule.LOST_NOTIFY);
  private final Tally stolen = new Tally(Rule.STOLEN_NOTIFY);
  private boolean isDepthKnown = true;

  /**
   * A check.
   *
   * @param hasLeftOvers whether a cell has left-over signals
   */
  SignalCheck(OrderFacts facts, IntPredicate hasLeftOvers) {
    this.facts = facts;
    this.depth = new NotifyDepth(facts, hasLeftOvers);
  }

  /**
   * Judges a post that comes after another signal of its cell.
   *
   * @param awaitStream the stream of the await that should come before it, or {@link
   *     FirstPass#NEVER} if that await comes later in the walk
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
   * Judges an await that comes after another stream's await of the same cell.
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

  /** Adds the findings. */
  void report(Findings findings) {
    lost.report(findings);
    stolen.report(findings);
  }

  /** The number of signals that each notify must hold, if the plan runs to its end. */
  int notifyDepth() {
    return isDepthKnown && stolen.isEmpty() ? depth.largest() : OrderSummary.UNBOUNDED;
  }
}
