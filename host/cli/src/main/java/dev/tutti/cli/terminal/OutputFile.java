package dev.tutti.cli.terminal;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** A file that an option names for output. */
public final class OutputFile {

  private OutputFile() {}

  /** The content of a file. */
  @FunctionalInterface
  public interface Content {

    /** Writes the whole content. */
    void writeTo(PrintWriter target) throws IOException;
  }

  private static void write(Path path, Content content) throws IOException {
    try (PrintWriter file = new PrintWriter(Files.newBufferedWriter(path))) {
      content.writeTo(file);
      if (file.checkError()) {
        throw new IOException("the disk may be full");
      }
    }
  }

  private static TuttiException unwritable(String option, Path path, IOException e) {
    return new TuttiException(
        ErrorCode.OUTPUT_UNWRITABLE, e, "cannot write %s %s: %s", option, path, reason(e));
  }

  /**
   * Replaces a file once the new one is complete; until then the old one stays. If the path is not
   * a regular file, for example a pipe, this writes into it.
   *
   * @param option the option that names it, for messages
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  public static void replace(String option, Path path, Content content) {
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        write(path, content);
        return;
      }
      Path place = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
      Path part = place.resolveSibling(place.getFileName() + ".part");
      try {
        write(part, content);
        Files.move(part, place, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw unwritable(option, path, e);
    }
  }

  /**
   * Refuses a file that {@link #replace} could not write, before the command starts its work.
   *
   * @param what what would be written, for messages
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  public static void requireReplaceable(Path file, String what) {
    if (Files.isDirectory(file)) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE, "cannot write the %s %s: it is a directory", what, file);
    }
    if (!Files.exists(file) || Files.isRegularFile(file)) {
      requireWritableDirectory(file, what);
    }
  }

  /**
   * Makes a directory and its parents, unless they exist.
   *
   * @param option the option that names it, for messages
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  public static void makeDirectory(String option, Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw unwritable(option, directory, e);
    }
  }

  /**
   * The file into which a command writes its measurements.
   *
   * @param asked the value of {@code --output}; null if there is none
   * @param usual the default file
   * @param isDryRun whether nothing is written
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if both {@code --output} and a
   *     dry run are requested
   */
  public static Path place(@Nullable Path asked, Path usual, boolean isDryRun) {
    if (isDryRun && asked != null) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--dry-run writes nothing; give either it or --output");
    }
    return asked == null ? usual : asked;
  }

  /**
   * Refuses a file whose directory cannot be written, before the command starts its work.
   *
   * @param what what would be written, for messages
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}
   */
  public static void requireWritableDirectory(Path file, String what) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE,
          "cannot write the %s %s: %s is not a directory that can be written",
          what,
          file,
          parent);
    }
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return switch (e) {
      case NoSuchFileException _ -> "its directory does not exist";
      case FileAlreadyExistsException existing -> existing.getFile() + " is not a directory";
      default -> String.valueOf(e.getMessage());
    };
  }
}
