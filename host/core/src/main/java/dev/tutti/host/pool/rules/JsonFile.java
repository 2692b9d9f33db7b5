package dev.tutti.host.pool.rules;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.json.JsonTree;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.text.ReadProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that hold one JSON value and are read and written whole. */
final class JsonFile {

  /** The largest size of a file; larger files are not rules files. */
  static final int MAX_BYTES = 64 << 20;

  private JsonFile() {}

  /**
   * Reads a file.
   *
   * @param what the kind of the file, for messages, for example {@code "rules file"}
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if it cannot be read or is not
   *     valid
   */
  static Node read(Path path, String what) {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new TuttiException(
            ErrorCode.INVALID_RULES,
            "%s has more than %d bytes, so it is not a %s",
            path,
            MAX_BYTES,
            what);
      }
      byte[] json = BoundedFile.read(path, MAX_BYTES);
      return JsonTree.read(json, String.valueOf(path.getFileName()), ErrorCode.INVALID_RULES);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          e,
          "the %s %s cannot be read: %s",
          what,
          path,
          ReadProblem.of(path, e));
    }
  }

  /**
   * Writes a file atomically: a reader sees either the old contents or the new contents.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}; the file is unchanged then
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
