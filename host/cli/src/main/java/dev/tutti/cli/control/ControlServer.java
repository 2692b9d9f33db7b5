package dev.tutti.cli.control;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Accepts commands for this process at the control socket of a state directory. Every client has
 * its own thread, and the number of clients is limited. A client that hangs, leaves early or sends
 * invalid data loses its connection and does not disturb others. Thread-safe.
 *
 * <p>If the limit is reached, or the system has no thread or file left, the accepting thread itself
 * refuses the next client, because it needs neither for that.
 */
public final class ControlServer implements AutoCloseable {

  private static final long RETRY_NANOS = 10_000_000;

  /**
   * The number of threads that always exist, so that a host can answer when the system has no more.
   */
  private static final int SPARE_THREADS = 2;

  private static final long IDLE_SECONDS = 10;

  private final ControlFiles files;
  private final ControlAddress address;
  private final ControlListener listener;
  private final ControlHandler handler;
  private final ControlLimits limits;
  private final RefusedClients refused;
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timer;
  private final Set<ControlConnection> connections = ConcurrentHashMap.newKeySet();
  private final Refusal noFiles;
  private final Refusal noRoom;
  private final Refusal noThread;
  private final Thread acceptor;
  private volatile boolean isClosing;

  private ControlServer(
      ControlFiles files,
      ControlAddress address,
      ControlListener listener,
      ControlHandler handler,
      ControlLimits limits,
      RefusedClients refused,
      ThreadFactory threads,
      ScheduledThreadPoolExecutor timer) {
    this.files = files;
    this.address = address;
    this.listener = listener;
    this.handler = handler;
    this.limits = limits;
    this.refused = refused;
    this.noFiles = new Refusal("the host has too many open files; try again later", refused);
    this.noRoom =
        new Refusal(
            Sentence.of("the host has %d clients already; try again later", limits.clients()),
            refused);
    this.noThread =
        new Refusal(
            "the host cannot make a thread for another client; raise its limit of processes or"
                + " memory, or try again later",
            refused);
    // A thread whose client has ended may not be idle yet, so more threads than clients are
    // allowed.
    this.workers =
        new ThreadPoolExecutor(
            SPARE_THREADS,
            2 * limits.clients() + SPARE_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads);
    this.timer = timer;
    this.acceptor = Thread.ofPlatform().daemon().name("tutti-control").unstarted(this::accept);
  }

  /**
   * Starts to accept commands. The caller must make sure that no other host uses the state
   * directory; the socket of a dead host is replaced.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if a host answers there already, or
   *     the socket cannot be made
   */
  public static ControlServer open(Path state, ControlHandler handler) {
    return open(state, handler, new RefusedClients(InstantSource.system()));
  }

  /**
   * As {@link #open(Path, ControlHandler)}.
   *
   * @param refused counts the refused clients
   */
  public static ControlServer open(Path state, ControlHandler handler, RefusedClients refused) {
    return open(
        state,
        handler,
        ControlLimits.DEFAULTS,
        refused,
        Thread.ofPlatform().daemon().name("tutti-control-", 1).factory());
  }

  static ControlServer open(
      Path state,
      ControlHandler handler,
      ControlLimits limits,
      RefusedClients refused,
      ThreadFactory threads) {
    ControlFiles files = new ControlFiles(state);
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tutti-control-timer").factory());
    // Each line of an answer has a time limit, which is almost always cancelled.
    timer.setRemoveOnCancelPolicy(true);
    boolean isOpen = false;
    try {
      removeLeftOver(files, state, timer);
      Path socket = files.prepare();
      ControlAddress address = new ControlAddress(ProcessHandle.current().pid(), socket);
      ControlListener listener = listen(files, address);
      ControlServer server =
          new ControlServer(files, address, listener, handler, limits, refused, threads, timer);
      try {
        files.publish(address);
        server.start();
        isOpen = true;
        return server;
      } finally {
        if (!isOpen) {
          server.close();
        }
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "the control socket of %s cannot be made (%s); name another state directory",
          state,
          DiskProblem.of(state, e));
    } finally {
      if (!isOpen) {
        timer.shutdownNow();
      }
    }
  }

  /**
   * Deletes the directory of a server that has ended, with its files.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if it belongs to another user
   * @throws IOException if it cannot be deleted
   */
  public static void sweep(Path state) throws IOException {
    ControlFiles files = new ControlFiles(state);
    try {
      ControlAddress old = files.read();
      if (old != null) {
        files.remove(old);
      }
    } catch (ProtocolException e) {
      // The file is incomplete: the socket is not known, or it is in the directory itself.
    }
    files.removeAll();
  }

  private static ControlListener listen(ControlFiles files, ControlAddress address)
      throws IOException {
    try {
      return ControlListener.open(address.socket());
    } catch (IOException | RuntimeException | Error e) {
      files.remove(address);
      throw e;
    }
  }

  private static void removeLeftOver(ControlFiles files, Path state, ScheduledExecutorService timer)
      throws IOException {
    @Nullable ControlAddress old;
    try {
      old = files.read();
    } catch (ProtocolException e) {
      return; // An incomplete file of a dead host is replaced.
    }
    if (old == null) {
      return;
    }
    try (SocketChannel answer = ControlFiles.connect(old, timer, ControlClient.PATIENCE)) {
      if (answer != null) {
        throw new TuttiException(
            ErrorCode.PLUGIN_STATE,
            "process %d serves %s already; stop it, or name another state directory",
            old.pid(),
            state);
      }
    }
    files.remove(old);
  }

  private void start() {
    int _ = workers.prestartAllCoreThreads();
    boolean _ = timer.prestartCoreThread();
    acceptor.start();
  }

  /** The process that runs the commands. */
  public long pid() {
    return address.pid();
  }

  private void accept() {
    try {
      while (!isClosing) {
        acceptOne();
      }
    } finally {
      listener.end();
    }
  }

  /** Accepts one client; no error with it prevents the next one from being accepted. */
  private void acceptOne() {
    @Nullable SocketChannel client = null;
    try {
      client = listener.accept();
      if (client != null) {
        welcome(client);
        return;
      }
    } catch (Throwable t) {
      ControlListener.closeQuietly(client);
      note(t);
    }
    if (!isClosing) {
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void note(Throwable t) {
    try {
      if (!isClosing) {
        refused.add("a client could not be served (" + t + ")");
      }
    } catch (Throwable nobodyCanTell) {
      // There is no memory left even for a message, but this thread stays alive for the next
      // client.
    }
  }

  private void welcome(SocketChannel client) throws IOException {
    if (!listener.hasSpare()) {
      noFiles.send(client);
    } else if (connections.size() >= limits.clients()) {
      noRoom.send(client);
    } else {
      try {
        serve(client);
      } catch (Throwable t) {
        noThread.send(client);
      }
    }
  }

  private void serve(SocketChannel client) {
    LineChannel lines = new LineChannel(client, timer, limits.requestBytes());
    ControlConnection connection = new ControlConnection(lines, limits);
    connections.add(connection);
    try {
      workers.execute(() -> serve(connection));
    } catch (Throwable t) {
      connections.remove(connection);
      throw t;
    }
  }

  private void serve(ControlConnection connection) {
    try {
      connection.serve(address.pid(), handler);
    } catch (Throwable t) {
      note(t);
    } finally {
      connections.remove(connection);
    }
  }

  /**
   * Accepts no more commands, and waits a while for the running ones. Then it cuts off their
   * clients, which ends a command at its next output. A second call does nothing.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE} if the socket cannot be deleted
   */
  @Override
  public void close() {
    if (isClosing) {
      return;
    }
    isClosing = true;
    try {
      listener.close();
      files.remove(address);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "the control socket %s cannot be deleted (%s)",
          address.socket(),
          e);
    } finally {
      drain();
      workers.shutdown();
      timer.shutdownNow();
    }
  }

  private void drain() {
    List<ControlConnection> left = List.copyOf(connections);
    long end = System.nanoTime() + limits.drain().toNanos();
    boolean isOver = true;
    for (ControlConnection connection : left) {
      isOver &= connection.awaitEnd(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    if (!isOver) {
      left.forEach(ControlConnection::cutOff);
      left.forEach(
          connection -> connection.awaitEnd(limits.drain().toNanos(), TimeUnit.NANOSECONDS));
    }
  }
}
