package dev.tutti.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds the author's line in a stack: the innermost frame outside the SDK. Not thread-safe. Reuse
 * is faster, because an instance caches the texts of lines.
 */
final class SourceLines {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String SPI = "dev.tutti.sdk.";
  private static final String PLAN = "dev.tutti.plan.";
  private static final String CALLER = RankProgram.class.getName();

  private final Map<StackTraceElement, String> known = new HashMap<>();

  /**
   * The line that called into the SDK, as {@code Class.method(File.java:12)}; if there is only an
   * SDK base class on the stack, the line in that class.
   */
  String caller() {
    return WALKER.walk(this::caller);
  }

  private String caller(Stream<StackWalker.StackFrame> frames) {
    StackWalker.StackFrame base = null;
    for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
      String name = frame.getClassName();
      if (!isOfSdk(name)) {
        return text(frame);
      }
      if (name.equals(CALLER)) {
        break;
      }
      if (base == null && !name.startsWith(PLAN)) {
        base = frame;
      }
    }
    return base == null ? "?" : text(base);
  }

  private static boolean isOfSdk(String name) {
    return name.startsWith(PLAN) || name.startsWith(SPI);
  }

  private String text(StackWalker.StackFrame frame) {
    return known.computeIfAbsent(frame.toStackTraceElement(), SourceLines::shortName);
  }

  /** The author's line that an exception came from or passed through; empty if there is none. */
  static String firstOutsideSdk(Throwable thrown) {
    for (StackTraceElement element : thrown.getStackTrace()) {
      String name = element.getClassName();
      if (name.equals(CALLER)) {
        // The frames after it are the callers of the recorder, which did not emit the action.
        return "";
      }
      if (!isOfSdk(name) && !name.startsWith("java.") && !name.startsWith("jdk.")) {
        return shortName(element);
      }
    }
    return "";
  }

  private static String shortName(StackTraceElement element) {
    String name = element.getClassName();
    return name.substring(name.lastIndexOf('.') + 1)
        + "."
        + element.getMethodName()
        + "("
        + element.getFileName()
        + ":"
        + element.getLineNumber()
        + ")";
  }
}
