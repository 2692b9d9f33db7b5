package dev.tutti.host;

import dev.tutti.base.idle.Waiting;
import dev.tutti.host.group.RequestOperation;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What tests of the packages below reach of the public types, which applications do not. */
public final class HostAccess {

  private HostAccess() {}

  /** The same builder, with another way to wait. */
  public static ContextBuilder waiting(ContextBuilder builder, Waiting waiting) {
    return builder.waiting(waiting);
  }

  /** The same builder, with environment variables of the test. */
  public static ContextBuilder environment(
      ContextBuilder builder, UnaryOperator<@Nullable String> variables) {
    return builder.environment(variables);
  }

  /** What a request runs. */
  public static RequestOperation operation(Request request) {
    return request.operation();
  }

  /** Ends the use of a group. */
  public static void poison(Group group, String cause) {
    group.poison(cause);
  }
}
