package dev.tutti.verifier.symbol;

import dev.tutti.sdk.DataType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operands of one element. Immutable once built. */
final class Anatomy {

  private final Term.Operand value;
  private final int size;

  /** The reductions; each comes before the reductions whose results it uses. */
  private final List<Term.Step> steps = new ArrayList<>();

  /** How often the element contains each input element, at most {@link Long#MAX_VALUE} times. */
  private final Map<Term.Operand, Long> leaves = new LinkedHashMap<>();

  private final List<Term.Operand> torn = new ArrayList<>();
  private boolean hasUndefined;

  /**
   * Takes an element apart.
   *
   * @param type the type of the element
   */
  Anatomy(Term.Operand value, DataType type) {
    this.value = value;
    this.size = type.size();
    collect(value.core());
    steps.sort(Comparator.comparingInt((Term.Step step) -> step.id).reversed());
    count();
  }

  private void collect(Term root) {
    Set<Term> seen = new HashSet<>();
    List<Term> open = new ArrayList<>();
    open.add(root);
    while (!open.isEmpty()) {
      Term term = open.removeLast();
      if (!seen.add(term)) {
        continue;
      }
      switch (term) {
        case Term.Step step -> {
          steps.add(step);
          step.operands.forEach(operand -> open.add(operand.core()));
        }
        case Term.Torn tornTerm -> tornTerm.parts.forEach(part -> open.add(part.value().core()));
        case Term.Undefined _ -> hasUndefined = true;
        case Term.Input _, Term.Copy _ -> {}
      }
    }
  }

  private void count() {
    Map<Term, Long> times = new HashMap<>();
    add(value, 1, times);
    for (Term.Step step : steps) {
      Long own = times.get(step); // null in a part of a torn element
      if (own != null) {
        step.operands.forEach(operand -> add(operand, own, times));
      }
    }
  }

  private void add(Term.Operand operand, long more, Map<Term, Long> times) {
    switch (operand.core()) {
      case Term.Input input ->
          leaves.merge(new Term.Operand(input, operand.at()), more, Anatomy::capped);
      case Term.Undefined _ -> {}
      case Term.Torn _ -> torn.add(operand);
      case Term.Step step -> times.merge(step, more, Anatomy::capped);
      case Term.Copy copy -> throw new IllegalStateException("a copy of " + copy.from);
    }
  }

  private static long capped(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  Term.Operand value() {
    return value;
  }

  /** The reductions, last first. */
  List<Term.Step> steps() {
    return steps;
  }

  /** Whether undefined memory is an operand. */
  boolean hasUndefined() {
    return hasUndefined;
  }

  /** Whether the element is undefined memory and nothing else. */
  boolean isUndefined() {
    return value.core() instanceof Term.Undefined;
  }

  /** A term that consists of parts of several elements; null if there is none. */
  Term.@Nullable Operand torn() {
    if (!torn.isEmpty()) {
      return torn.getFirst();
    }
    for (Term.Operand leaf : leaves.keySet()) {
      if (leaf.at() % size != 0) {
        return leaf;
      }
    }
    return null;
  }

  /** How often the element contains each input element. All terms are inputs. */
  Map<Term.Operand, Long> leaves() {
    return leaves;
  }
}
