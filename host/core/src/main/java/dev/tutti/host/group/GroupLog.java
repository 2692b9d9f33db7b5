package dev.tutti.host.group;

import dev.tutti.base.listener.ListenerFailure;
import dev.tutti.base.text.ControlCharacters;
import dev.tutti.base.text.Sentence;

/** Logs the failures that end the use of groups; loads no logging library before the first one. */
public final class GroupLog {

  private GroupLog() {}

  /**
   * Logs a failure after which a group can only be closed. If the logger fails, its exception is
   * ignored.
   */
  public static void failed(GroupCore group, String cause) {
    try {
      String sentence =
          Sentence.of(
              "group %d of %s ranks has failed: %s", group.number(), group.topology(), cause);
      System.getLogger("dev.tutti.group")
          .log(System.Logger.Level.WARNING, ControlCharacters.onOneLine(sentence));
    } catch (Throwable t) {
      ListenerFailure.report(t);
    }
  }
}
