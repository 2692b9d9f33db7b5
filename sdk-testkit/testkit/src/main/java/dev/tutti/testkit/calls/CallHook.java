package dev.tutti.testkit.calls;

/**
 * What watched classes call right before they make a forbidden call. Public because they live in
 * packages of their own; nobody else has a reason to call it.
 */
public final class CallHook {

  private static final StackWalker FRAMES =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private CallHook() {}

  /**
   * Notes a call for the loader of the class that makes it. Does nothing in a class that is not
   * watched.
   *
   * @param callee the type and the member that are called and the {@link CallKind}, with {@code #}
   *     between them
   */
  public static void before(String callee) {
    FRAMES
        .walk(frames -> frames.skip(1).findFirst())
        .ifPresent(
            frame -> {
              if (frame.getDeclaringClass().getClassLoader() instanceof WatchingLoader loader) {
                loader.note(callee, frame.toStackTraceElement());
              }
            });
  }
}
