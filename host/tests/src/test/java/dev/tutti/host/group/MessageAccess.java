package dev.tutti.host.group;

/** What tests reach of what ranks have agreed on. */
public final class MessageAccess {

  private MessageAccess() {}

  /** Has a rank forget all that it has agreed on with others. */
  public static void forgetAll(MessageBindings known) {
    known.forgetAll();
  }
}
