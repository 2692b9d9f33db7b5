package dev.tutti.cli.host;

import dev.tutti.plugin.file.DiskProblem;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory for one command, which only this user can access. */
public final class TemporaryDirectory implements AutoCloseable {

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes an empty directory.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  public static TemporaryDirectory make() {
    try {
      return new TemporaryDirectory(Files.createTempDirectory("tutti-"));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  public Path path() {
    return path;
  }

  /** The exception for a failed write into such a directory. */
  public static TuttiException unwritable(IOException e) {
    return new TuttiException(
        ErrorCode.OUTPUT_UNWRITABLE,
        e,
        "a temporary directory cannot be made or deleted (%s)",
        DiskProblem.of(Path.of(System.getProperty("java.io.tmpdir", "")), e));
  }

  /** Deletes the directory with all its files. */
  @Override
  public void close() {
    try {
      delete(path);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Deletes a directory with all its files. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }
}
