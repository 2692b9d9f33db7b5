package dev.tutti.sdk.trace;

import dev.tutti.sdk.topology.CommPlane;

/**
 * Reports each link request of an executor to a listener. The report happens inside the requesting
 * call, so the stack shows the author's code. A listener is set only while Tutti looks for the
 * source of a wrong request.
 */
public final class LinkTrace {

  private static final ScopedValue<Listener> LISTENER = ScopedValue.newInstance();

  private LinkTrace() {}

  /** Receives the requests. */
  @FunctionalInterface
  public interface Listener {

    /**
     * The executor requests a link.
     *
     * @param plane the level of the link's sub-communicator
     * @param subComm the index of the sub-communicator in that level
     * @param peer the group rank at the other end
     */
    void asked(CommPlane plane, int subComm, int peer);
  }

  /** The calling thread's listener; if there is none, a listener that does nothing. */
  public static Listener listener() {
    return LISTENER.orElse((plane, subComm, peer) -> {});
  }

  /** Runs a task on the calling thread with a listener. */
  public static void listen(Listener listener, Runnable asking) {
    ScopedValue.where(LISTENER, listener).run(asking);
  }
}
