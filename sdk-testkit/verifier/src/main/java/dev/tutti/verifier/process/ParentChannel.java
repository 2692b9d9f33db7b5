package dev.tutti.verifier.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A child's connection to its parent process over the standard streams; nothing else in the child
 * can use these streams any more. If the parent closes its end or dies, the child ends at once,
 * whatever it is doing.
 */
public final class ParentChannel {

  private final byte[] secret;
  private final DataOutputStream out;
  private final BlockingQueue<List<String>> requests = new LinkedBlockingQueue<>();

  private ParentChannel(byte[] secret, OutputStream out) {
    this.secret = secret;
    this.out = new DataOutputStream(out);
  }

  /**
   * Takes over the standard streams of this process, which its parent started as a {@link
   * ChildJvm}.
   */
  public static ParentChannel open() throws IOException {
    DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setIn(InputStream.nullInputStream());
    System.setOut(nowhere);
    System.setErr(nowhere);
    byte[] secret = new byte[Frames.SECRET_BYTES];
    in.readFully(secret);
    Runtime.getRuntime().addShutdownHook(new Thread(ParentChannel::park, "tutti-end"));
    ParentChannel channel = new ParentChannel(secret, new FileOutputStream(FileDescriptor.out));
    Thread.ofPlatform().daemon().name("tutti-requests").start(() -> channel.listen(in));
    return channel;
  }

  /**
   * Keeps the JVM from shutting down on a signal. A terminal sends its signals to the parent and to
   * this process alike. The parent decides when this process ends, and may still need its answer,
   * so the process runs until its streams end.
   */
  private static void park() {
    while (true) {
      LockSupport.park();
    }
  }

  private void listen(DataInputStream in) {
    try {
      List<String> request = Frames.read(in, secret);
      while (request != null) {
        requests.add(request);
        request = Frames.read(in, secret);
      }
    } catch (IOException e) {
      // Handled like the end of the stream: the parent is gone.
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  /** The next request; waits for it. */
  public List<String> next() throws InterruptedException {
    return requests.take();
  }

  /**
   * Reports that this process is ready.
   *
   * @param about what the parent should know about this process
   */
  public void ready(String about) throws IOException {
    send(List.of(ChildJvm.READY, about));
  }

  /** Sends an answer. Thread-safe. */
  public synchronized void send(List<String> message) throws IOException {
    Frames.write(out, secret, message);
  }
}
