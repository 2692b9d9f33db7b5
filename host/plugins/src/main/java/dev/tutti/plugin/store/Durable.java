package dev.tutti.plugin.store;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** File operations that hold after a crash, or that keep others out. */
final class Durable {

  private Durable() {}

  /** Writes a whole file, and has it on disk when this returns. */
  static void write(Path file, byte[] bytes) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(bytes);
      out.getFD().sync();
    }
  }

  /** Gives a file that is on disk its name, at once and for good, in place of one that has it. */
  static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    syncName(to);
  }

  /**
   * Puts the name of a file on disk. A channel is closed when its thread is interrupted, and only a
   * channel can do this, so an interrupt waits until it is done.
   */
  static void syncName(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !hasPermissions(directory)) {
      return;
    }
    boolean isInterrupted = Thread.interrupted();
    try {
      while (!isSynced(directory)) {
        isInterrupted |= Thread.interrupted();
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean isSynced(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
      return true;
    } catch (ClosedByInterruptException e) {
      return false;
    }
  }

  /** Lets only the owner in; without effect where there are no POSIX permissions. */
  static void permit(Path path, String permissions) throws IOException {
    if (hasPermissions(path)) {
      Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
      if (!Files.getPosixFilePermissions(path).equals(wanted)) {
        Files.setPosixFilePermissions(path, wanted);
      }
    }
  }

  static boolean hasPermissions(Path path) {
    return Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        != null;
  }
}
