package dev.tutti.sdk.plan;

/** Finds the line of an author's code in stacks: the innermost frame outside the SDK. */
final class SourceLines {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String SDK = "dev.tutti.sdk.";

  private SourceLines() {}

  /** The line that called into the SDK, as {@code Class.method(File.java:12)}. */
  static String caller() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !frame.getClassName().startsWith(SDK))
                .findFirst()
                .map(frame -> shortName(frame.toStackTraceElement()))
                .orElse("?"));
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
