package dev.tutti.cli.control;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The socket at which a host listens. One thread accepts; any thread may close.
 *
 * <p>The listener keeps one spare file open. If the process may open no more files, the listener
 * closes the spare one, accepts the next client and refuses it with a reason. It reopens a channel
 * that an interrupt has closed.
 */
final class ControlListener implements Closeable {

  private final Path socket;
  private volatile ServerSocketChannel channel;
  private volatile boolean isClosed;
  private @Nullable ServerSocketChannel spare;

  private ControlListener(Path socket, ServerSocketChannel channel) {
    this.socket = socket;
    this.channel = channel;
  }

  /** Listens at a path that must not exist. */
  static ControlListener open(Path socket) throws IOException {
    ControlListener listener = new ControlListener(socket, bind(socket));
    boolean _ = listener.hasSpare();
    return listener;
  }

  private static ServerSocketChannel bind(Path socket) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(socket));
      ControlFiles.permitOwnerOnly(socket);
      return channel;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Waits for the next client.
   *
   * @return its channel; null if there is none yet, and the caller should try again after a while
   * @throws ClosedChannelException after {@link #close}
   */
  @Nullable SocketChannel accept() throws ClosedChannelException {
    try {
      return acceptWithSpare();
    } catch (ClosedChannelException e) {
      if (isClosed) {
        throw e;
      }
      reopen();
      return null;
    } catch (IOException e) {
      return null; // No file is left, or the client left at once; the next client may succeed.
    }
  }

  /**
   * Accepts; if no file is left, closes the spare one and accepts again, before another thread
   * opens a file.
   */
  private SocketChannel acceptWithSpare() throws IOException {
    try {
      return channel.accept();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (spare == null) {
        throw e;
      }
      giveSpare();
      return channel.accept();
    }
  }

  /** Whether another file can be opened; if so, it is kept as the spare one. */
  boolean hasSpare() {
    if (spare == null) {
      try {
        spare = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private void giveSpare() {
    ServerSocketChannel given = spare;
    spare = null;
    closeQuietly(given);
  }

  private void reopen() throws ClosedChannelException {
    boolean _ = Thread.interrupted();
    try {
      Files.deleteIfExists(socket);
      channel = bind(socket);
    } catch (IOException e) {
      return; // The caller tries again.
    }
    if (isClosed) {
      closeQuietly(channel);
      throw new ClosedChannelException();
    }
  }

  /** Closes a channel that is no longer used, and ignores errors. */
  static void closeQuietly(@Nullable Channel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Nothing else can be done about it.
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    channel.close();
  }

  /** Closes the spare file; called by the accepting thread at its end. */
  void end() {
    giveSpare();
  }
}
