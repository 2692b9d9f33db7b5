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
 * A connection to another process of a job. As long as it is open, the other process lives. One
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

  /** The next message; waits for it. */
  JobMessage read() throws IOException {
    return JobMessage.read(in);
  }

  /**
   * Sends a message, unless the other process has ended: whoever reads learns of that, after the
   * last that it has said. Not for threads that may be interrupted, as that closes the connection.
   */
  void send(JobMessage message) {
    writing.lock();
    try {
      message.write(out);
    } catch (IOException e) {
      // What the other one has written may not be read so far, so the connection stays.
    } finally {
      writing.unlock();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone in any case.
    }
  }
}
