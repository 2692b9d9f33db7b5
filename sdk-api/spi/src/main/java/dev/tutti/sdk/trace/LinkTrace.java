package dev.tutti.sdk.trace;

import dev.tutti.sdk.topology.CommPlane;

/**
 * Reports every link that an executor asks for to a listener, inside the call that asks, so that
 * the stack shows the author's code. There is a listener only while a wrong request is explained;
 * otherwise asking costs nothing.
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

  /** The current listener of the calling thread; one that ignores everything if there is none. */
  public static Listener listener() {
    return LISTENER.orElse((plane, subComm, peer) -> {});
  }

  /** Runs a task on the calling thread with a listener. */
  public static void listen(Listener listener, Runnable asking) {
    ScopedValue.where(LISTENER, listener).run(asking);
  }
}
