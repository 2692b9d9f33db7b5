package dev.tutti.verifier.symbol;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.StringJoiner;

/** Writes expressions as text: {@code ((a0+a1)+a2)}, where {@code a1} is the element of rank 1. */
final class TreeText {

  /** The most operands to write out; deeper parts of longer expressions become "…". */
  private static final int MAX_OPERANDS = 12;

  /** The most operands to write out of one action that reduces several sources. */
  private static final int MAX_FUSED = 8;

  private final long place;
  private final int size;
  private final Set<Term> expanded = new HashSet<>();

  private TreeText(long place, int size) {
    this.place = place;
    this.size = size;
  }

  /**
   * Writes an expression.
   *
   * @param place the offset in the inputs, in bytes, of the element that the expression should
   *     contain; an element at another offset gets its index: {@code a1[7]}
   */
  static String of(Term.Operand value, long place, DataType type) {
    TreeText text = new TreeText(place, type.size());
    text.expand(value);
    return text.write(value);
  }

  /** Chooses the parts to write out, level by level from the top. */
  private void expand(Term.Operand root) {
    Deque<Term> open = new ArrayDeque<>();
    open.add(root.core());
    int operands = 1;
    while (!open.isEmpty()) {
      Term term = open.remove();
      if (term instanceof Term.Torn torn) {
        torn.parts.forEach(part -> open.add(part.value().core()));
      } else if (term instanceof Term.Step step
          && operands + written(step) - 1 <= MAX_OPERANDS
          && expanded.add(step)) {
        operands += written(step) - 1;
        step.operands.subList(0, written(step)).forEach(operand -> open.add(operand.core()));
      }
    }
  }

  private static int written(Term.Step step) {
    return Math.min(step.operands.size(), MAX_FUSED);
  }

  private String write(Term.Operand value) {
    return switch (value.core()) {
      case Term.Input input -> input(input.rank, value.at());
      case Term.Undefined _ -> "undefined";
      case Term.Torn torn -> torn(torn);
      case Term.Step step -> expanded.contains(step) ? step(step) : "…";
      case Term.Copy _ -> "a copy";
    };
  }

  private String input(int rank, long at) {
    if (at == place) {
      return "a" + rank;
    }
    return at % size == 0
        ? "a%d[%d]".formatted(rank, at / size)
        : "a%d[byte %d]".formatted(rank, at);
  }

  private String torn(Term.Torn torn) {
    StringJoiner text = new StringJoiner("|", "<", ">");
    torn.parts.forEach(part -> text.add(write(part.value())));
    return text.toString();
  }

  /** Writes a reduction. Square brackets show where an action rounds a 16-bit float at its end. */
  private String step(Term.Step step) {
    boolean isRounded = !step.type.isInteger() && step.type.size() == 2;
    String sign = sign(step.op);
    String text = write(step.operands.getFirst());
    int more = step.operands.size() - written(step);
    for (int i = 1; i < written(step); i++) {
      boolean isLast = i == step.operands.size() - 1;
      String joined = text + sign + write(step.operands.get(i));
      text = isLast && isRounded ? "[" + joined + "]" : "(" + joined + ")";
    }
    return more == 0 ? text : "(" + text + sign + "… " + more + " operands more)";
  }

  private static String sign(ReduceOp op) {
    return switch (op) {
      case SUM -> "+";
      case PROD -> "*";
      case BAND -> "&";
      case BOR -> "|";
      case BXOR -> "^";
      case MAX, MIN -> " " + op.label() + " ";
    };
  }
}
