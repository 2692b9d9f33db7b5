package dev.tutti.verifier.gate;

import org.jspecify.annotations.Nullable;

/**
 * The methods that woven classes of plugins call at the start of each method, before each backward
 * jump, and when they catch an error. While no call must end, this costs one read of a field.
 *
 * <p>A call that must end gets an error at its next stop point, and again at each one after it, so
 * that code that catches everything ends, too. Other calls into the same classes go on.
 *
 * <p>The field is static because woven code has nothing else to go by: its class may be of any
 * version, and its methods of any shape. Calls of all gates of the process share it.
 */
public final class StopPoint {

  /** The class that woven classes name. */
  public static final String NAME = StopPoint.class.getName();

  static final String PASS = "pass";
  static final String CAUGHT = "caught";

  private static volatile boolean isAnyEnding;

  /** The first call that must end; each knows the next. Guarded by the class. */
  private static @Nullable GateCall<?> firstEnding;

  private StopPoint() {}

  /** Lets the classes of a loader call stop points, and nothing else of the testkit. */
  public static Class<?> openTo(ClassLoader plugin) {
    StopPoint.class
        .getModule()
        .addExports(StopPoint.class.getPackageName(), plugin.getUnnamedModule());
    return StopPoint.class;
  }

  /** Ends the call of this thread if it must end. */
  public static void pass() {
    if (isAnyEnding) {
      endIfAsked();
    }
  }

  /**
   * Called where plugin code catches an error. The code may not go on if its call must end, or if
   * the memory is used up: then its call ends here, and its memory becomes free.
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

  /** Makes the stop points of a call end it. Called once for a call, perhaps without any memory. */
  static synchronized void end(GateCall<?> call) {
    call.nextEnding = firstEnding;
    firstEnding = call;
    isAnyEnding = true;
  }

  /** Forgets calls whose threads have ended; with the last one, stop points are cheap again. */
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
