package dev.tutti.verifier.gate;

import org.jspecify.annotations.Nullable;

/**
 * The methods that woven classes of plugins call at the start of each method, before each backward
 * jump, and when they catch an error. As long as no call must end, a stop point costs one read of a
 * field.
 *
 * <p>In a call that must end, the next stop point throws an error, and so does every later one. So
 * even code that catches everything ends. Other calls into the same classes continue.
 *
 * <p>The field is static because woven code can reach nothing else: its class file may have any
 * version, and its methods any signature. All gates of the process share the field.
 */
public final class StopPoint {

  /** The name of this class, for woven code. */
  public static final String NAME = StopPoint.class.getName();

  static final String PASS = "pass";
  static final String CAUGHT = "caught";

  private static volatile boolean isAnyEnding;

  /** The first call that must end, as the head of a linked list. Guarded by the class's lock. */
  private static @Nullable GateCall<?> firstEnding;

  private StopPoint() {}

  /** Lets the classes of a loader call stop points, but nothing else of the testkit. */
  public static Class<?> openTo(ClassLoader plugin) {
    StopPoint.class
        .getModule()
        .addExports(StopPoint.class.getPackageName(), plugin.getUnnamedModule());
    return StopPoint.class;
  }

  /** Throws an error if the call of this thread must end. */
  public static void pass() {
    if (isAnyEnding) {
      endIfAsked();
    }
  }

  /**
   * Called where plugin code catches an error. The code must not continue if its call must end. If
   * the memory is used up, the call ends here, which frees its memory.
   */
  public static void caught(Throwable thrown) {
    if (isAnyEnding) {
      endIfAsked();
    }
    if (thrown.getClass() == OutOfMemoryError.class) {
      GateCall<?> call = CallGroup.callOf(Thread.currentThread());
      if (call != null && call.endsOutOfMemory((OutOfMemoryError) thrown)) {
        throw StopError.INSTANCE;
      }
    }
  }

  private static void endIfAsked() {
    GateCall<?> call = CallGroup.callOf(Thread.currentThread());
    if (call != null && call.isEnding()) {
      throw StopError.INSTANCE;
    }
  }

  /**
   * Makes the stop points of a call throw. Called once for each call, perhaps when there is no
   * memory.
   */
  static synchronized void end(GateCall<?> call) {
    call.nextEnding = firstEnding;
    firstEnding = call;
    isAnyEnding = true;
  }

  /**
   * Removes calls whose threads have ended. Once the list is empty, stop points are cheap again.
   */
  static void forgetEnded() {
    if (isAnyEnding) {
      forget();
    }
  }

  private static synchronized void forget() {
    GateCall<?> kept = null;
    for (GateCall<?> at = firstEnding; at != null; ) {
      GateCall<?> next = at.nextEnding;
      at.nextEnding = null;
      if (!at.hasNoThreads()) {
        at.nextEnding = kept;
        kept = at;
      }
      at = next;
    }
    firstEnding = kept;
    isAnyEnding = kept != null;
  }
}
