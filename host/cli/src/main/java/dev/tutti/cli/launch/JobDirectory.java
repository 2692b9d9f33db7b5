package dev.tutti.cli.launch;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a job meet: a directory for their user only. Whoever has made it holds a
 * lock on a file in it, so that others can tell whether its job is dead.
 */
final class JobDirectory implements AutoCloseable {

  private static final String PREFIX = "tutti-job-";
  private static final String LOCK = "lock";

  /** A socket's path has at most 107 bytes. */
  private static final int LONGEST_PARENT = 60;

  private final Path path;
  private final FileChannel lock;

  private JobDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Makes a directory where such directories usually are, and removes those of dead jobs there. */
  static JobDirectory make() {
    return make(usualParent(System.getenv("XDG_RUNTIME_DIR")));
  }

  static JobDirectory make(Path parent) {
    sweep(parent);
    try {
      Path made =
          Files.createTempDirectory(
              parent,
              PREFIX,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      // It gets its name when it is locked, so that nobody takes it for that of a dead job.
      Path unlocked = made.resolve(LOCK + ".new");
      FileChannel lock =
          FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      // Held until the channel is closed.
      FileLock ignored = lock.lock();
      Files.move(unlocked, made.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return new JobDirectory(made, lock);
    } catch (IOException | UnsupportedOperationException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "no directory for a job can be made in %s: %s",
          parent,
          e.getMessage());
    }
  }

  private static Path usualParent(@Nullable String runtime) {
    if (runtime != null && !runtime.isEmpty() && runtime.length() <= LONGEST_PARENT) {
      Path own = Path.of(runtime);
      if (Files.isDirectory(own) && Files.isWritable(own)) {
        return own;
      }
    }
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  Path path() {
    return path;
  }

  /** Removes the directories of jobs whose launcher is gone. */
  private static void sweep(Path parent) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path each : all) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(each)) {
          sweepIfDead(each);
        }
      }
    } catch (IOException e) {
      // Whoever comes next may have more luck.
    }
  }

  private static void sweepIfDead(Path directory) {
    Path file = directory.resolve(LOCK);
    // One that is just being made has no lock yet.
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock free = channel.tryLock()) {
      if (free != null) {
        remove(directory);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // It is in use, or somebody else removes it.
    }
  }

  private static void remove(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Override
  public void close() {
    try (lock) {
      remove(path);
    } catch (IOException e) {
      // The next launcher sweeps it.
    }
  }
}
