package dev.tutti.plugin.live;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/** A change for which every process that serves the same plugins has loaded its jars. */
public interface Changeover extends AutoCloseable {

  /** The change of a process that serves its plugins alone. */
  Changeover ALONE =
      new Changeover() {
        @Override
        public void hold() {
          // Threads that plan meanwhile use the plugins that serve at that time.
        }

        @Override
        public void publish(Runnable publication) {
          publication.run();
        }

        @Override
        public void close() {
          // No thread waits.
        }
      };

  /**
   * Stops all processes from beginning plans, and waits until no plan is under way.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED} or {@link ErrorCode#PEER_LOST}
   *     if one of them does not answer
   */
  void hold();

  /**
   * Makes the change in all processes, which are held, and lets them continue.
   *
   * @param publication makes the change in this process
   */
  void publish(Runnable publication);

  /**
   * Lets all processes continue. They serve the same plugins as before unless the change was
   * published.
   */
  @Override
  void close();
}
