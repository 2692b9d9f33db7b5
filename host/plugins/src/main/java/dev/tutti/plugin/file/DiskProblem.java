package dev.tutti.plugin.file;

import dev.tutti.base.text.Sentence;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reason why a file could not be written, and what to do about it. */
public final class DiskProblem {

  private static final long MEBIBYTE = 1 << 20;

  private DiskProblem() {}

  /**
   * The reason of a failure.
   *
   * @param place the file or directory to write
   * @return words that fit into parentheses
   */
  public static String of(Path place, Exception failure) {
    String reason = reason(failure);
    String words = reason.toLowerCase(Locale.ROOT);
    if (words.contains("no space left")) {
      return "its disk is full" + space(place) + ": make room";
    }
    if (words.contains("quota exceeded")) {
      return "the disk quota of this user is used up: make room, or have it raised";
    }
    if (words.contains("read-only file system")) {
      return "its file system is read-only: mount it for writing";
    }
    if (words.contains("file too large")) {
      return "it is larger than this process may write: raise the limit, see 'ulimit -f'";
    }
    if (words.contains("too many open files")) {
      return "this process has too many open files: raise the limit, see 'ulimit -n'";
    }
    if (failure instanceof AccessDeniedException
        || words.contains("permission denied")
        || words.contains("operation not permitted")) {
      return "this user may not write it: change its permissions";
    }
    return failure instanceof FileSystemException && !reason.isEmpty()
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  private static String reason(Exception failure) {
    @Nullable String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? "" : reason;
  }

  /** The free space, if the system reports it. */
  private static String space(Path place) {
    try {
      Path present = place.toAbsolutePath();
      while (present != null && !Files.exists(present)) {
        present = present.getParent();
      }
      if (present == null) {
        return "";
      }
      FileStore store = Files.getFileStore(present);
      return Sentence.of(
          ", with %d of %d MiB left",
          store.getUsableSpace() / MEBIBYTE, store.getTotalSpace() / MEBIBYTE);
    } catch (IOException | SecurityException e) {
      return "";
    }
  }
}
