package dev.tutti.host.live;

import dev.tutti.host.plugin.store.Step;
import dev.tutti.host.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes into the plugins directory: what is there is the old file or the new one, never a part.
 */
final class Installation {

  private static final String PART = ".part";
  private static final String SIGNATURE = ".sig";

  private Installation() {}

  /**
   * The name under which a jar is installed.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not that of a jar
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
   * Copies a jar, after its signature if it has one.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  static void copy(Path jar, Path target, Steps steps) {
    try {
      Path signature = signature(jar);
      if (Files.exists(signature)) {
        copyWhole(signature, signature(target), Steps.NONE);
      } else {
        Files.deleteIfExists(signature(target));
      }
      steps.reached(Step.INSTALL_CHECKED);
      copyWhole(jar, target, steps);
      steps.reached(Step.INSTALL_NAMED);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          e,
          "%s cannot be copied into the plugins directory %s (%s); it must be a directory that this"
              + " user may write, with space left",
          jar.getFileName(),
          target.getParent(),
          e);
    }
  }

  private static void copyWhole(Path from, Path to, Steps steps) throws IOException {
    Path part = to.resolveSibling("." + to.getFileName() + PART);
    try {
      Files.copy(from, part, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
        written.force(true);
      }
      steps.reached(Step.INSTALL_WRITTEN);
      Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /**
   * Deletes a jar and its signature, if they are there.
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

  /** Deletes what a process that was killed left half copied. */
  static void sweep(Path directory) {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, ".*" + PART)) {
      for (Path part : parts) {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      // A directory that cannot be written has none of ours; one that is missing is told of later.
    }
  }

  private static Path signature(Path jar) {
    return jar.resolveSibling(jar.getFileName() + SIGNATURE);
  }
}
