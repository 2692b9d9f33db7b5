package dev.tutti.plugin.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;

/**
 * A stamp that shows a change of a file without reading it.
 *
 * @param size its size; -1 if it cannot be read
 * @param modifiedMillis the time of its last write
 * @param key other values that change with it
 * @param problem why it must not be opened, in words; empty if it may be
 */
record FileStamp(long size, long modifiedMillis, String key, String problem) {

  /** The stamp of a missing file. */
  static final FileStamp NONE = unusable("it is not there");

  /** The time without a change after which a file counts as complete. */
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** The stamp of a file that must not or cannot be opened. */
  static FileStamp unusable(String problem) {
    return new FileStamp(-1, 0, "", problem);
  }

  /**
   * The stamp of a file that may be read.
   *
   * @param more other values that change with it
   */
  static FileStamp of(Path file, BasicFileAttributes attributes, String more) throws IOException {
    return new FileStamp(
        attributes.size(),
        attributes.lastModifiedTime().toMillis(),
        attributes.fileKey() + changed(file) + more,
        "");
  }

  /** The stamp of a small file that is awaited; an unreadable file has a stamp, too. */
  static FileStamp of(Path file) {
    try {
      return of(file, Files.readAttributes(file, BasicFileAttributes.class), "");
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      return unusable(e.toString());
    }
  }

  /**
   * The time at which the system changed the file. Unlike the time of the last write, copying tools
   * cannot set it back. Empty if the system does not report it.
   */
  static String changed(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? " changed " + Files.getAttribute(file, "unix:ctime")
        : "";
  }

  /** Whether the last write was long ago. */
  boolean isQuiet(Instant now) {
    return ageMillis(now) >= QUIET.toMillis();
  }

  /** Whether the last write was recent; a time in the future does not count. */
  boolean isYoungerThan(Duration age, Instant now) {
    return ageMillis(now) >= 0 && ageMillis(now) < age.toMillis();
  }

  private long ageMillis(Instant now) {
    return now.toEpochMilli() - modifiedMillis;
  }
}
