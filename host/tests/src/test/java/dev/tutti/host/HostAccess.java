package dev.tutti.host;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.host.group.RequestOperation;
import java.util.Map;

/**
 * Access for tests of other packages to parts of the public types that applications cannot reach.
 */
public final class HostAccess {

  private HostAccess() {}

  /** The same builder, with another way to wait. */
  public static ContextBuilder waiting(ContextBuilder builder, Waiting waiting) {
    return builder.waiting(waiting);
  }

  /** The same builder, with environment variables of the test. */
  public static ContextBuilder environment(ContextBuilder builder, Map<String, String> variables) {
    return builder.environment(variables);
  }

  /** The same builder, for a rank of a job whose processes share no memory. */
  public static ContextBuilder messages(ContextBuilder builder, MessageWorld world) {
    return builder.messages(world, 1);
  }

  /** The same for a process with several ranks. */
  public static ContextBuilder messages(ContextBuilder builder, MessageWorld world, int ranks) {
    return builder.messages(world, ranks);
  }

  /** The operation of a request. */
  public static RequestOperation operation(Request request) {
    return request.operation();
  }

  /** Ends the use of a group. */
  public static void poison(Group group, String cause) {
    group.poison(cause);
  }
}
