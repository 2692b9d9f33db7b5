package dev.tutti.host.job;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Where rank 0 of a job waits for the others. */
sealed interface JobDoor permits FileDoor, NetworkDoor {

  /**
   * Opens it, as rank 0, in a place that others cannot take.
   *
   * @throws IOException if somebody has it, or it cannot be had
   */
  ServerSocketChannel open() throws IOException;

  /** Knocks, as one of the others. */
  SocketChannel knock() throws IOException;

  /**
   * Refuses those who come in and must not.
   *
   * @throws dev.tutti.sdk.TuttiException with code JOB_REFUSED
   */
  void check(SocketChannel channel) throws IOException;

  /** Takes away what {@link #open} has left; the door is closed. */
  void remove();

  /** Where it is, in words that follow "on". */
  @Override
  String toString();
}
