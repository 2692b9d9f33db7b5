package dev.tutti.host.pool.rules;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.json.JsonTree;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** Files that hold one JSON value and are read and written whole. */
final class JsonFile {

  /** The largest file that is read; with more, it is something else. */
  static final int MAX_BYTES = 64 << 20;

  private JsonFile() {}

  /**
   * Reads a file.
   *
   * @param what what the file is, for messages, for example {@code "rules file"}
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if it cannot be read or is not
   *     valid
   */
  static Node read(Path path, String what) {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw broken("%s has more than %d bytes and is no %s", path, MAX_BYTES, what);
      }
      byte[] json = BoundedFile.read(path, MAX_BYTES);
      if (json.length == 0) {
        throw broken(
            "the %s %s must hold one JSON object and nothing else. Actual: it is empty",
            what, path);
      }
      return parse(String.valueOf(path.getFileName()), json);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES, e, "the %s %s cannot be read: %s", what, path, why(path, e));
    }
  }

  private static String why(Path path, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file; check the path";
    }
    return Files.isDirectory(path)
        ? "it is a directory; give the path of a file"
        : failure + "; check who may read it";
  }

  private static TuttiException broken(String format, Object... arguments) {
    return new TuttiException(ErrorCode.INVALID_RULES, format, arguments);
  }

  private static Node parse(String file, byte[] json) {
    try {
      Node node = new JsonTree().read(json);
      if (node == null) {
        throw broken("%s must hold one JSON object and nothing else", file);
      }
      return node;
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String where = at == null ? "" : ":" + at.getLineNr();
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          e,
          "%s%s is not valid JSON: %s",
          file,
          where,
          e.getOriginalMessage());
    }
  }

  /**
   * Writes a file at once: whoever reads it sees what was there before, or all that is new.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}; then the file is as before
   */
  static void write(Path file, String what, String text) {
    try {
      Path target = file.toAbsolutePath();
      Path beside =
          Files.createTempFile(target.getParent(), String.valueOf(target.getFileName()), ".new");
      try {
        Files.writeString(beside, text);
        Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.OUTPUT_UNWRITABLE, e, "cannot write the %s %s (%s)", what, file, e);
    }
  }
}
