package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The actions through which an operand has reached its place, last first. Immutable. */
final class Route {

  private static final int MAX_LISTED = 12;

  private final Trace trace;
  private final List<long[]> actions;

  private Route(Trace trace, List<long[]> actions) {
    this.trace = trace;
    this.actions = actions;
  }

  /**
   * The route down from a term. At every reduction, it follows the first useful operand.
   *
   * @param isUseful whether an operand leads to the target; if none does, the route follows the
   *     first operand
   */
  static Route of(Trace trace, Term.Operand from, Predicate<Term.Operand> isUseful) {
    List<long[]> actions = new ArrayList<>();
    Term term = from.term();
    while (true) {
      switch (term) {
        case Term.Copy copy -> {
          actions.add(new long[] {copy.stream, copy.event});
          term = copy.from;
        }
        case Term.Step step -> {
          actions.add(new long[] {step.stream, step.event});
          Term.Operand next = step.operands.getFirst();
          for (Term.Operand operand : step.operands) {
            if (isUseful.test(operand)) {
              next = operand;
              break;
            }
          }
          term = next.term();
        }
        case Term.Torn torn -> term = torn.parts.getFirst().value().term();
        case Term.Input _, Term.Undefined _ -> {
          return new Route(trace, actions);
        }
      }
    }
  }

  /** Tests whether operands contain a matching leaf. Computes each answer only once. */
  static Predicate<Term.Operand> containing(Predicate<Term.Operand> leaf) {
    Map<Term.Operand, Boolean> known = new HashMap<>();
    return operand -> contains(operand, leaf, known);
  }

  private static boolean contains(
      Term.Operand root, Predicate<Term.Operand> leaf, Map<Term.Operand, Boolean> known) {
    List<Term.Operand> open = new ArrayList<>();
    open.add(root);
    while (!open.isEmpty()) {
      Term.Operand operand = open.getLast();
      Boolean answer = known.get(operand);
      if (answer == null) {
        answer = decide(operand, leaf, known, open);
      }
      if (answer != null) {
        known.put(operand, answer);
        open.removeLast();
      }
    }
    return known.getOrDefault(root, false);
  }

  /**
   * The answer for an operand. If other operands must be decided first, adds them to {@code open}
   * and returns null.
   */
  private static @Nullable Boolean decide(
      Term.Operand operand,
      Predicate<Term.Operand> leaf,
      Map<Term.Operand, Boolean> known,
      List<Term.Operand> open) {
    Term core = operand.core();
    if (leaf.test(new Term.Operand(core, operand.at()))) {
      return true;
    }
    if (!(core instanceof Term.Step step)) {
      return false;
    }
    boolean isKnown = true;
    for (Term.Operand inner : step.operands) {
      Boolean answer = known.get(inner);
      if (Boolean.TRUE.equals(answer)) {
        return true;
      }
      if (answer == null) {
        open.add(inner);
        isKnown = false;
      }
    }
    return isKnown ? false : null;
  }

  /** The last action, or null if there is none. */
  @Nullable ActionRef last() {
    return actions.isEmpty() ? null : ref(0);
  }

  /** The first actions of the list, up to the number that is shown. */
  List<ActionRef> refs() {
    List<ActionRef> refs = new ArrayList<>();
    for (int i = 0; i < Math.min(actions.size(), MAX_LISTED); i++) {
      refs.add(ref(i));
    }
    return refs;
  }

  private ActionRef ref(int index) {
    long[] action = actions.get(index);
    return trace.code((int) action[0]).ref((int) action[1]);
  }

  /** A line for each action. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (ActionRef ref : refs()) {
      lines.add((lines.isEmpty() ? "  " : "  <- ") + ref);
    }
    if (actions.size() > MAX_LISTED) {
      lines.add("  <- … " + (actions.size() - MAX_LISTED) + " actions more");
    }
    return lines;
  }
}
