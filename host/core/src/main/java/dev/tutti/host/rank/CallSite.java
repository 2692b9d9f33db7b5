package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.Engine;
import java.util.List;

/** Finds the line of the application that a thread is executing. */
final class CallSite {

  /** The packages that an application calls: those of the JDK and of the host. */
  private static final List<String> BENEATH =
      List.of(
          "java.",
          "jdk.",
          "sun.",
          "dev.tutti.host.",
          Clock.class.getPackageName() + ".",
          Engine.class.getPackageName() + ".");

  private CallSite() {}

  /** The application's line that called the host or the JDK; empty if there is none. */
  static String of(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    int site = 0;
    while (site < frames.length && isBeneath(frames[site].getClassName())) {
      site++;
    }
    return site < frames.length ? text(frames[site]) : "";
  }

  private static boolean isBeneath(String name) {
    return BENEATH.stream().anyMatch(name::startsWith);
  }

  /** The text of a frame, in the format of source lines in plans. */
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
