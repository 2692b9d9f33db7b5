package dev.tutti.host.job;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * A socket in the job's directory, for processes of one machine and one user.
 *
 * @param directory the directory
 */
record UnixEndpoint(Path directory) implements JobEndpoint {

  private static final String SOCKET = "leader.sock";

  private Path socket() {
    return directory.resolve(SOCKET);
  }

  @Override
  public ServerSocketChannel listen() throws IOException {
    requirePrivate(directory);
    removeLeftover();
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      return server.bind(UnixDomainSocketAddress.of(socket()));
    } catch (IOException | IllegalArgumentException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
  }

  @Override
  public void check(SocketChannel channel) throws IOException {
    String user = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    String own = ProcessHandle.current().info().user().orElse(user);
    if (!user.equals(own)) {
      throw refused(
          "all processes of a job must belong to one user: rank 0 belongs to %s, not %s",
          own, user);
    }
  }

  private static TuttiException refused(String format, Object... arguments) {
    return new TuttiException(ErrorCode.JOB_REFUSED, format, arguments);
  }

  /** Removes the socket of a process that has ended; such a socket accepts no connections. */
  private void removeLeftover() {
    if (Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)) {
      try {
        connect().close();
      } catch (IOException e) {
        cleanUp();
      }
    }
  }

  @Override
  public void cleanUp() {
    try {
      boolean ignored = Files.deleteIfExists(socket());
    } catch (IOException e) {
      // The process that has made the directory removes it.
    }
  }

  /** Refuses a directory that other users of this machine can enter or write to. */
  private static void requirePrivate(Path directory) {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Set<PosixFilePermission> open = attributes.permissions();
      boolean isPrivate =
          open.stream().allMatch(permission -> permission.name().startsWith("OWNER_"));
      if (!attributes.isDirectory() || !isPrivate) {
        throw refused(
            "the processes of a job meet in a directory that is open to their user only (mode 0700)."
                + " Actual: %s, %s",
            directory, attributes.isDirectory() ? "open to others" : "no directory");
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw refused("the directory of the job, %s, cannot be used: %s", directory, e);
    }
  }

  @Override
  public String toString() {
    return socket().toString();
  }
}
