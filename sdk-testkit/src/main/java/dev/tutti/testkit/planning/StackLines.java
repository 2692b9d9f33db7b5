package dev.tutti.testkit.planning;

import java.util.ArrayList;
import java.util.List;

/** Finds the author's code in stacks. */
final class StackLines {

  private static final int MAX_LINES = 12;

  /** What the names of classes that are not the author's begin with. */
  private static final List<String> OTHERS =
      List.of(
          "dev.tutti.sdk.",
          PlanningGuard.class.getName(),
          PlanningTask.class.getName(),
          Inquiry.class.getName(),
          Purity.class.getName(),
          RankTask.class.getName(),
          RecordedLines.class.getName(),
          "java.",
          "javax.",
          "jdk.",
          "sun.");

  private StackLines() {}

  /** The innermost line outside the SDK and the JDK, with " at " before it; or nothing. */
  static String at(StackTraceElement[] stack) {
    for (StackTraceElement element : stack) {
      if (OTHERS.stream().noneMatch(element.getClassName()::startsWith)) {
        String name = element.getClassName();
        return " at %s.%s(%s:%d)"
            .formatted(
                name.substring(name.lastIndexOf('.') + 1),
                element.getMethodName(),
                element.getFileName(),
                element.getLineNumber());
      }
    }
    return "";
  }

  /** The innermost lines, for an explanation. */
  static String text(StackTraceElement[] stack) {
    List<String> lines = new ArrayList<>();
    for (StackTraceElement element : stack) {
      if (lines.size() == MAX_LINES) {
        lines.add("  …");
        break;
      }
      lines.add("  at " + element);
    }
    return String.join("\n", lines);
  }
}
