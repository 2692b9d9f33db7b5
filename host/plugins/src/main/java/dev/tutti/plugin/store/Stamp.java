package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stamp that changes with a file.
 *
 * @param bytes its size
 * @param modified when it was written
 * @param key the identity of the file with the name, or null if files have no keys
 */
record Stamp(long bytes, FileTime modified, @Nullable Object key) {

  /**
   * The current stamp of a jar.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it is missing or not a file
   */
  static Stamp of(Path jar) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(jar, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE,
            "%s must be a file. Actual: %s",
            jar,
            attributes.isDirectory() ? "a directory" : "something else");
      }
      return new Stamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    } catch (NoSuchFileException e) {
      throw missing(jar, e);
    } catch (IOException e) {
      throw HashedCopy.unreadable(jar, e);
    }
  }

  private static TuttiException missing(Path jar, NoSuchFileException cause) {
    return Files.isSymbolicLink(jar)
        ? new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE,
            cause,
            "%s is a symbolic link to a file that does not exist; put the jar there, or delete the"
                + " link",
            jar)
        : new TuttiException(ErrorCode.PLUGIN_UNREADABLE, cause, "%s is not there", jar);
  }

  /** The change of the file, by the number of bytes read and its current stamp; empty if none. */
  String difference(long bytesRead, Stamp now) {
    if (!Objects.equals(key, now.key)) {
      return "was replaced";
    }
    if (bytes != now.bytes || bytes != bytesRead) {
      return Sentence.of("went from %d to %d bytes", bytes, Math.max(now.bytes, bytesRead));
    }
    return modified.equals(now.modified) ? "" : "was written";
  }
}
