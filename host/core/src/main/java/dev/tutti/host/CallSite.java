package dev.tutti.host;

/** Finds the line of the application that a thread is at. */
final class CallSite {

  private static final String HOST = CallSite.class.getPackageName() + ".";

  /** An application, although it lies beneath this package. */
  private static final String COMMAND_LINE = HOST + "cli.";

  private CallSite() {}

  /** The line that called the host, or that called the JDK; empty if there is none. */
  static String of(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    int site = 0;
    while (site < frames.length && isBeneath(frames[site].getClassName())) {
      site++;
    }
    return site < frames.length ? text(frames[site]) : "";
  }

  private static boolean isBeneath(String name) {
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("sun.")
        || (name.startsWith(HOST) && !name.startsWith(COMMAND_LINE));
  }

  /** As the lines of plans are written. */
  private static String text(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.substring(name.lastIndexOf('.') + 1)
        + "."
        + frame.getMethodName()
        + "("
        + frame.getFileName()
        + ":"
        + frame.getLineNumber()
        + ")";
  }
}
