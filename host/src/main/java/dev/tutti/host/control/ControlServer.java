package dev.tutti.host.control;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands for this process at the control socket of a state directory. Every client has a
 * thread of its own; one that hangs, leaves early or sends nonsense loses its connection and
 * disturbs nobody. Thread-safe.
 */
public final class ControlServer implements AutoCloseable {

  private static final long RETRY_NANOS = 10_000_000;

  private final ControlFiles files;
  private final ControlAddress address;
  private final ServerSocketChannel listener;
  private final ControlHandler handler;
  private final ControlLimits limits;
  private final ScheduledExecutorService timer;
  private final Set<ControlConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final Thread acceptor;
  private volatile boolean isClosing;

  private ControlServer(
      ControlFiles files,
      ControlAddress address,
      ServerSocketChannel listener,
      ControlHandler handler,
      ControlLimits limits) {
    this.files = files;
    this.address = address;
    this.listener = listener;
    this.handler = handler;
    this.limits = limits;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tutti-control-timer").factory());
    this.acceptor = Thread.ofPlatform().daemon().name("tutti-control").unstarted(this::accept);
  }

  /**
   * Starts to take commands. The caller makes sure that the state directory is used by no other
   * host; a socket that a dead one left is replaced.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_STATE} if a host answers there already, or
   *     the socket cannot be made
   */
  public static ControlServer open(Path state, ControlHandler handler) {
    return open(state, handler, ControlLimits.DEFAULTS);
  }

  static ControlServer open(Path state, ControlHandler handler, ControlLimits limits) {
    ControlFiles files = new ControlFiles(state);
    try {
      removeLeftOver(files, state);
      Path socket = files.prepare();
      ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        listener.bind(UnixDomainSocketAddress.of(socket));
        ControlAddress address = new ControlAddress(ProcessHandle.current().pid(), socket);
        files.publish(address);
        ControlServer server = new ControlServer(files, address, listener, handler, limits);
        server.acceptor.start();
        return server;
      } catch (IOException | RuntimeException e) {
        listener.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_STATE,
          e,
          "the control socket of %s cannot be made (%s); name another state directory",
          state,
          e);
    }
  }

  private static void removeLeftOver(ControlFiles files, Path state) throws IOException {
    @Nullable ControlAddress old;
    try {
      old = files.read();
    } catch (ProtocolException e) {
      return; // What a dead host left half-written is replaced.
    }
    if (old == null) {
      return;
    }
    try (SocketChannel answer = ControlFiles.connect(old)) {
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

  /** The process that takes the commands. */
  public long pid() {
    return address.pid();
  }

  private void accept() {
    while (!isClosing) {
      try {
        serve(listener.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // Too many open files, or a client that left at once: the next one may do better, later.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void serve(SocketChannel channel) throws IOException {
    LineChannel lines = new LineChannel(channel, timer, limits.requestBytes());
    ControlConnection connection = new ControlConnection(lines, limits);
    connections.add(connection);
    boolean isRoom = connections.size() <= limits.clients();
    Thread.ofPlatform()
        .daemon()
        .name("tutti-control-" + numbers.incrementAndGet())
        .start(
            () -> {
              try {
                connection.serve(address.pid(), isRoom ? handler : null);
              } finally {
                connections.remove(connection);
              }
            });
  }

  /**
   * Takes no more commands, and waits a while for those that run; then their clients are cut off,
   * which ends them at the next thing they print. Does nothing twice.
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
