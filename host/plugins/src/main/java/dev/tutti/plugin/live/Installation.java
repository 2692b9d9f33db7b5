package dev.tutti.plugin.live;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Writes into the plugins directory, which has either the old file or the new one, never a part.
 * The old files are kept until the end, so that the installation can be undone.
 */
final class Installation implements AutoCloseable {

  private static final String PART = ".part";
  private static final String SIGNATURE = ".sig";

  private final Path jar;
  private final Path signature;

  /** Other names of the old files. */
  private final Path oldJar;

  private final Path oldSignature;

  /** Whether the old files have their other names, so that they may be replaced. */
  private boolean isKept;

  private Installation(Path target) {
    jar = target;
    signature = signature(target);
    oldJar = part(target, ".old");
    oldSignature = part(signature, ".old");
  }

  /**
   * The name under which a jar is installed.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not the name of a jar
   */
  static String fileName(Path jar) {
    Path name = jar.getFileName();
    if (name == null || !name.toString().endsWith(".jar")) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a plugin's file name must end in .jar. Actual: %s", jar);
    }
    return name.toString();
  }

  /**
   * Copies a jar, and its signature if it has one. After an error, the directory is unchanged.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  static Installation copy(Path jar, Path target, Steps steps) {
    Installation installation = new Installation(target);
    try {
      installation.copy(jar, steps);
      return installation;
    } catch (IOException e) {
      installation.takeBack();
      installation.close();
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "%s cannot be copied into the plugins directory %s (%s); it must be a directory that this"
              + " user may write, with space left",
          jar.getFileName(),
          target.getParent(),
          DiskProblem.of(target, e));
    }
  }

  private void copy(Path from, Steps steps) throws IOException {
    steps.reached(Step.INSTALL_CHECKED);
    Path fromSignature = signature(from);
    boolean hasSignature = Files.exists(fromSignature);
    keep(jar, oldJar);
    keep(signature, oldSignature);
    isKept = true;
    try (Part newJar = new Part(jar);
        Part newSignature = new Part(signature)) {
      // All data is on disk before any file gets its name: a full disk fails here.
      newJar.write(from);
      if (hasSignature) {
        newSignature.write(fromSignature);
      }
      steps.reached(Step.INSTALL_WRITTEN);
      if (hasSignature) {
        newSignature.name();
      } else {
        Files.deleteIfExists(signature);
      }
      newJar.name();
      steps.reached(Step.INSTALL_NAMED);
    }
  }

  private static Path part(Path file, String kind) {
    return file.resolveSibling("." + file.getFileName() + kind + PART);
  }

  private static void keep(Path file, Path other) throws IOException {
    Files.deleteIfExists(other);
    if (Files.exists(file)) {
      try {
        Files.createLink(other, file);
      } catch (UnsupportedOperationException e) {
        Files.copy(file, other, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Restores the old files. */
  void takeBack() {
    if (!isKept) {
      return;
    }
    try {
      putBack(oldJar, jar);
      putBack(oldSignature, signature);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "%s could not be taken back (%s); delete it, or install the previous jar again",
          jar,
          DiskProblem.of(jar, e));
    }
  }

  private static void putBack(Path old, Path file) throws IOException {
    if (Files.exists(old)) {
      Files.move(old, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.deleteIfExists(file);
    }
  }

  /** Deletes the old files. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(oldJar);
      Files.deleteIfExists(oldSignature);
    } catch (IOException e) {
      // The next host deletes it.
    }
  }

  /** A file that is being written; its lock shows other processes that it is not a leftover. */
  private static final class Part implements AutoCloseable {

    private final Path file;
    private final Path part;
    private @Nullable FileChannel channel;

    Part(Path file) {
      this.file = file;
      this.part = part(file, "");
    }

    void write(Path from) throws IOException {
      FileChannel written =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      channel = written;
      FileLock _ = written.tryLock();
      BoundedFile.copy(from, Channels.newOutputStream(written), BoundedFile.LARGEST_JAR);
      written.force(true);
    }

    void name() throws IOException {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
      try (FileChannel written = channel) {
        if (written != null) {
          Files.deleteIfExists(part);
        }
      }
    }
  }

  /**
   * Deletes a jar and its signature, if they exist.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  static void delete(Path jar, Steps steps) {
    try {
      Files.deleteIfExists(jar);
      steps.reached(Step.REMOVE_DELETED);
      Files.deleteIfExists(signature(jar));
    } catch (IOException e) {
      throw new TuttiException(ErrorCode.OUTPUT_UNWRITABLE, e, "%s cannot be deleted (%s)", jar, e);
    }
  }

  /** Deletes incomplete copies that a killed process has left. */
  static void sweep(Path directory) {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, ".*" + PART)) {
      for (Path part : parts) {
        if (!isBeingWritten(part)) {
          Files.deleteIfExists(part);
        }
      }
    } catch (IOException e) {
      // A directory that cannot be written has no such files; a missing one is reported later.
    }
  }

  private static boolean isBeingWritten(Path part) throws IOException {
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  private static Path signature(Path jar) {
    return jar.resolveSibling(jar.getFileName() + SIGNATURE);
  }
}
