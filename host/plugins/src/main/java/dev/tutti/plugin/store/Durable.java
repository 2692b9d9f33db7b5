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

/** File operations that survive a crash, or that restrict access. */
final class Durable {

  private Durable() {}

  /** Writes a whole file, which is on disk when this returns. */
  static void write(Path file, byte[] bytes) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(bytes);
      out.getFD().sync();
    }
  }

  /** Renames a file that is on disk, atomically and durably; replaces a file with that name. */
  static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    syncName(to);
  }

  /**
   * Writes the name of a file to disk. Only a channel can do this, and an interrupt closes a
   * channel, so an interrupt is deferred until it is done.
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

  /** Sets permissions; without effect if there are no POSIX permissions. */
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
