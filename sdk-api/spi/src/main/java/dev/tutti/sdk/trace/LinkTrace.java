package dev.tutti.sdk.trace;

import dev.tutti.sdk.topology.CommPlane;

/**
 * Tells who listens of every link that an executor asks for, inside the call that asks: the stack
 * is that of the author's code. Nobody listens but who explains a request that was wrong, so that
 * asking costs nothing otherwise.
 */
public final class LinkTrace {

  private static final ScopedValue<Listener> LISTENER = ScopedValue.newInstance();

  private LinkTrace() {}

  /** Who listens. */
  @FunctionalInterface
  public interface Listener {

    /**
     * A link is asked for.
     *
     * @param plane the level it is filed under
     * @param subComm the place of its sub-communicator in that level
     * @param peer the group rank at its other end
     */
    void asked(CommPlane plane, int subComm, int peer);
  }

  /** Who listens to the calling thread now; one who ignores everything if nobody does. */
  public static Listener listener() {
    return LISTENER.orElse((plane, subComm, peer) -> {});
  }

  /** Runs something on the calling thread while somebody listens. */
  public static void listen(Listener listener, Runnable asking) {
    ScopedValue.where(LISTENER, listener).run(asking);
  }
}
