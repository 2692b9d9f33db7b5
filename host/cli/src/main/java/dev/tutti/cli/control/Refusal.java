package dev.tutti.cli.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * An answer for clients that cannot be served. It is made in advance: when it is sent, the process
 * may have no thread or file left, and no memory even to load a class.
 */
final class Refusal {

  private final String reason;
  private final byte[] line;
  private final RefusedClients refused;

  /**
   * Makes a refusal.
   *
   * @param reason a sentence without its full stop
   * @param refused counts the refused clients
   */
  Refusal(String reason, RefusedClients refused) {
    this.reason = reason;
    this.refused = refused;
    this.line =
        (new Messages().write(new Answer.Refused(reason)) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Refuses a client. The line fits into its socket, so that the server does not wait for the
   * client.
   */
  void send(SocketChannel client) throws IOException {
    refused.add(reason);
    try (client) {
      client.configureBlocking(false);
      int _ = client.write(ByteBuffer.wrap(line));
    }
  }
}
