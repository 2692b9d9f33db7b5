package dev.tutti.sdk.plan;

import java.util.stream.Stream;

/** Finds the line of an author's code in stacks: the innermost frame outside the SDK. */
final class SourceLines {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String SDK = "dev.tutti.sdk.";
  private static final String PLAN = "dev.tutti.sdk.plan.";
  private static final String RECORDER = PlanRecorder.class.getName();

  private SourceLines() {}

  /**
   * The line that called into the SDK, as {@code Class.method(File.java:12)}; for what the SDK's
   * own base classes emit, the line in them.
   */
  static String caller() {
    return WALKER.walk(SourceLines::caller);
  }

  private static String caller(Stream<StackWalker.StackFrame> frames) {
    StackWalker.StackFrame base = null;
    for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
      String name = frame.getClassName();
      if (!name.startsWith(SDK)) {
        return shortName(frame.toStackTraceElement());
      }
      if (name.equals(RECORDER)) {
        break;
      }
      if (base == null && !name.startsWith(PLAN)) {
        base = frame;
      }
    }
    return base == null ? "?" : shortName(base.toStackTraceElement());
  }

  /** The line an exception came from or passed through, or nothing. */
  static String firstOutsideSdk(Throwable thrown) {
    for (StackTraceElement element : thrown.getStackTrace()) {
      String name = element.getClassName();
      if (!name.startsWith(SDK) && !name.startsWith("java.") && !name.startsWith("jdk.")) {
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
