package dev.tutti.host.job;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection to another process of a job. As long as it is open, the other process is alive. One
 * thread reads; any thread writes.
 */
final class JobConnection {

  private final SocketChannel channel;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  JobConnection(SocketChannel channel) {
    this.channel = channel;
    this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
    this.out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
  }

  SocketChannel channel() {
    return channel;
  }

  /** Waits for the next message. */
  JobMessage read() throws IOException {
    return JobMessage.read(in);
  }

  /**
   * Sends a message, unless the other process has ended; the reading thread sees the end after the
   * last message of that process. Must not be called by threads that may be interrupted, because an
   * interrupt closes the connection.
   */
  void send(JobMessage message) {
    writing.lock();
    try {
      message.write(out);
    } catch (IOException e) {
      // The other process may have sent messages that are not read yet, so the connection stays
      // open.
    } finally {
      writing.unlock();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The connection is gone in any case.
    }
  }
}
