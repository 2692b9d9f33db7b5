package dev.tutti.testkit.calls;

/**
 * The method that watched classes call just before a forbidden call. It is public because those
 * classes are in other packages; do not call it yourself.
 */
public final class CallHook {

  private static final StackWalker FRAMES =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private CallHook() {}

  /**
   * Records a call for the loader of the class that makes it. Does nothing in a class that is not
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
