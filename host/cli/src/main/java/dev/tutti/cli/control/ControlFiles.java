package dev.tutti.cli.control;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.file.Ownership;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * The files of a state directory through which clients find its host: {@code control.sock}, and
 * {@code control.json}, which has the path of the socket. Only the owner may use them.
 */
final class ControlFiles {

  static final String SOCKET = "control.sock";
  static final String ADDRESS = "control.json";

  private static final int MAX_ADDRESS_BYTES = 64 << 10;

  /** The longest path of a socket, in bytes; systems allow 104 to 108 with the null at the end. */
  private static final int MAX_SOCKET_PATH = 100;

  private static final String SHORT_PREFIX = "tutti-";

  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private final Path state;
  private final Messages messages = new Messages();

  ControlFiles(Path state) {
    this.state = state.toAbsolutePath().normalize();
  }

  /** The address that the last host has published; null if there is none, or if it was removed. */
  @Nullable ControlAddress read() throws IOException {
    Ownership.require(state);
    Path file = state.resolve(ADDRESS);
    Ownership.require(file);
    try {
      byte[] bytes = BoundedFile.read(file, MAX_ADDRESS_BYTES);
      ControlAddress address = messages.readAddress(new String(bytes, StandardCharsets.UTF_8));
      Ownership.require(address.socket());
      return address;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Makes the directory private, and finds a place for a socket in it or in a shorter directory.
   */
  Path prepare() throws IOException {
    Files.createDirectories(state);
    Ownership.require(state);
    Files.setPosixFilePermissions(state, OWNER_DIRECTORY);
    Path socket = state.resolve(SOCKET);
    if (isShort(socket)) {
      Ownership.require(socket);
      Files.deleteIfExists(socket);
      return socket;
    }
    // Only the owner can access a temporary directory, from its creation on.
    return Files.createTempDirectory(SHORT_PREFIX).resolve(SOCKET);
  }

  static boolean isShort(Path socket) {
    return socket.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_SOCKET_PATH;
  }

  /** Publishes the address of this process. The socket must already exist. */
  void publish(ControlAddress address) throws IOException {
    Path draft = Files.createTempFile(state, ADDRESS, null);
    try {
      Files.writeString(draft, messages.write(address) + "\n");
      Files.move(draft, state.resolve(ADDRESS), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Lets only the owner connect to a socket. */
  static void permitOwnerOnly(Path socket) throws IOException {
    Files.setPosixFilePermissions(socket, OWNER_FILE);
  }

  /** Deletes the files of {@link #prepare} and {@link #publish}, of this process or a dead one. */
  void remove(ControlAddress address) throws IOException {
    Files.deleteIfExists(state.resolve(ADDRESS));
    Path socket = address.socket();
    Path directory = socket.getParent();
    if (!socket.endsWith(SOCKET) || directory == null) {
      return;
    }
    Files.deleteIfExists(socket);
    if (!directory.equals(state) && directory.getFileName().toString().startsWith(SHORT_PREFIX)) {
      try {
        Files.deleteIfExists(directory);
      } catch (DirectoryNotEmptyException e) {
        // The other files are not ours: a host puts only the socket there.
      }
    }
  }

  /** Deletes the directory, and the files of this class in it, including drafts. */
  void removeAll() throws IOException {
    Ownership.require(state);
    try (DirectoryStream<Path> own = Files.newDirectoryStream(state, "control.*")) {
      for (Path each : own) {
        Files.delete(each);
      }
    }
    Files.delete(state);
  }

  /**
   * A channel to the host of an address, or null if nothing listens there.
   *
   * @param timer ends the attempt when the time is over, because a host that hangs accepts no
   *     connection
   */
  static @Nullable SocketChannel connect(
      ControlAddress address, ScheduledExecutorService timer, Duration patience)
      throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    ScheduledFuture<?> end = LineChannel.closeAfter(channel, timer, patience);
    try {
      channel.connect(UnixDomainSocketAddress.of(address.socket()));
      return channel;
    } catch (ClosedChannelException e) {
      throw new ProtocolException(
          Sentence.of("it accepted no connection within %d ms", patience.toMillis()));
    } catch (IOException e) {
      channel.close();
      if (e instanceof ConnectException || Files.notExists(address.socket())) {
        return null;
      }
      throw e;
    } finally {
      end.cancel(false);
    }
  }
}
