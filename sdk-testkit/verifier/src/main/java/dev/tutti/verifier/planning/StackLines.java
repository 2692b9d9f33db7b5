package dev.tutti.verifier.planning;

import java.util.ArrayList;
import java.util.List;

/** Finds the author's code in stack traces. */
final class StackLines {

  private static final int MAX_LINES = 12;

  /** Name prefixes of classes that are not the author's. */
  private static final List<String> OTHERS =
      List.of(
          "dev.tutti.sdk.",
          "dev.tutti.plan.",
          PlanningGuard.class.getName(),
          "dev.tutti.verifier.gate.",
          Inquiry.class.getName(),
          Purity.class.getName(),
          PlanDifference.class.getName(),
          RankTask.class.getName(),
          "java.",
          "javax.",
          "jdk.",
          "sun.");

  private StackLines() {}

  /** The first stack that contains a line of the author, or else the first stack. */
  static StackTraceElement[] ofAuthorFirst(List<StackTraceElement[]> stacks) {
    return stacks.stream()
        .filter(stack -> !ofAuthor(stack).isEmpty())
        .findFirst()
        .orElse(stacks.isEmpty() ? new StackTraceElement[0] : stacks.getFirst());
  }

  /** The innermost line of the author after {@code " at "}; empty if there is none. */
  static String at(StackTraceElement[] stack) {
    List<StackTraceElement> lines = ofAuthor(stack);
    if (lines.isEmpty()) {
      return "";
    }
    return " " + text(lines.getFirst());
  }

  private static String text(StackTraceElement line) {
    String name = line.getClassName();
    return "at %s.%s(%s:%d)"
        .formatted(
            name.substring(name.lastIndexOf('.') + 1),
            line.getMethodName(),
            line.getFileName(),
            line.getLineNumber());
  }

  /**
   * The innermost lines of the author for an explanation, or of any code if none is the author's.
   * Empty if the author has only one line, because the message already names it.
   */
  static String text(StackTraceElement[] stack) {
    List<StackTraceElement> own = ofAuthor(stack);
    if (own.size() == 1) {
      return "";
    }
    List<String> lines = new ArrayList<>();
    for (StackTraceElement line : own.isEmpty() ? List.of(stack) : own) {
      if (lines.size() == MAX_LINES) {
        lines.add("…");
        break;
      }
      lines.add(text(line));
    }
    return String.join("\n", lines);
  }

  /** The author's lines in the stack of the root cause; empty if there are none. */
  static String ofCause(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StackTraceElement[] stack = root.getStackTrace();
    return ofAuthor(stack).isEmpty() ? "" : text(stack);
  }

  /**
   * The author's lines, innermost first. Of successive lines in one method, as in a recursion or a
   * bridge method, only the innermost.
   */
  private static List<StackTraceElement> ofAuthor(StackTraceElement[] stack) {
    List<StackTraceElement> lines = new ArrayList<>();
    for (StackTraceElement line : stack) {
      boolean isOther = OTHERS.stream().anyMatch(line.getClassName()::startsWith);
      if (!isOther && (lines.isEmpty() || !isSameMethod(line, lines.getLast()))) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static boolean isSameMethod(StackTraceElement line, StackTraceElement other) {
    return line.getClassName().equals(other.getClassName())
        && line.getMethodName().equals(other.getMethodName());
  }
}
