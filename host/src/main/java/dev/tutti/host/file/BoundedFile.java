package dev.tutti.host.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads whole files of a bounded size. Kind and size are looked at before a file is opened, because
 * opening a pipe waits for its writer, and a device never ends.
 */
public final class BoundedFile {

  /** The largest jar that is read or copied, in bytes. */
  public static final int LARGEST_JAR = 64 << 20;

  private BoundedFile() {}

  /**
   * Reads a file.
   *
   * @param most the largest number of bytes that it may have
   * @throws java.nio.file.NoSuchFileException if it is not there
   * @throws FileSystemException with a reason, if it is no file or has more bytes, also when it
   *     grows while it is read
   */
  public static byte[] read(Path file, int most) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw refused(file, "it is " + kind(attributes) + "; give a file");
    }
    if (attributes.size() > most) {
      throw tooLarge(file, most);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw tooLarge(file, most);
      }
      return bytes;
    }
  }

  /** What something is that is no file, with its article. */
  public static String kind(BasicFileAttributes attributes) {
    return attributes.isDirectory() ? "a directory" : "a pipe, a socket or a device";
  }

  private static FileSystemException tooLarge(Path file, int most) {
    return refused(file, "it has more than " + most + " bytes");
  }

  private static FileSystemException refused(Path file, String why) {
    return new FileSystemException(file.toString(), null, why);
  }
}
