package dev.tutti.host.job;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The address at which rank 0 of a job accepts the other processes. */
sealed interface JobEndpoint permits UnixEndpoint, TcpEndpoint {

  /**
   * Starts to listen, as rank 0.
   *
   * @throws IOException if the address is taken or cannot be used
   */
  ServerSocketChannel listen() throws IOException;

  /** Connects to rank 0, as any other rank. */
  SocketChannel connect() throws IOException;

  /**
   * Checks a process that has connected.
   *
   * @throws dev.tutti.sdk.TuttiException with code JOB_REFUSED if it must not join
   */
  void check(SocketChannel channel) throws IOException;

  /** Cleans up after {@link #listen}. Accepts no more connections. */
  void cleanUp();

  /** The address, in words that follow "on". */
  @Override
  String toString();
}
