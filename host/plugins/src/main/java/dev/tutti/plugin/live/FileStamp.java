package dev.tutti.plugin.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;

/**
 * What tells one content of a file from the next without reading it.
 *
 * @param size its size; -1 if there is no content that could be read
 * @param modifiedMillis when it was written
 * @param key what else changes with it
 * @param problem why it must not be opened, in words; empty if it may be
 */
record FileStamp(long size, long modifiedMillis, String key, String problem) {

  /** The stamp of no file. */
  static final FileStamp NONE = unusable("it is not there");

  /** The time without a change after which a file counts as written. */
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** The stamp of what must not or cannot be opened. */
  static FileStamp unusable(String problem) {
    return new FileStamp(-1, 0, "", problem);
  }

  /**
   * The stamp of a file that may be read.
   *
   * @param more what else is noticed
   */
  static FileStamp of(Path file, BasicFileAttributes attributes, String more) throws IOException {
    return new FileStamp(
        attributes.size(),
        attributes.lastModifiedTime().toMillis(),
        attributes.fileKey() + changed(file) + more,
        "");
  }

  /** The stamp of a small file that one waits for; what cannot be looked at has a stamp, too. */
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
   * When the system changed the file, which no tool that copies can set back as it can the time;
   * empty where the system does not say.
   */
  static String changed(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? " changed " + Files.getAttribute(file, "unix:ctime")
        : "";
  }

  /** Whether it was written long ago. */
  boolean isQuiet(Instant now) {
    return ageMillis(now) >= QUIET.toMillis();
  }

  /** Whether it was written just now; a time to come says nothing of that. */
  boolean isYoungerThan(Duration age, Instant now) {
    return ageMillis(now) >= 0 && ageMillis(now) < age.toMillis();
  }

  private long ageMillis(Instant now) {
    return now.toEpochMilli() - modifiedMillis;
  }
}
