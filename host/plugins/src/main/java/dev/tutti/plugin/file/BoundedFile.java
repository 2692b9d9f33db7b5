package dev.tutti.plugin.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads and copies whole files of a bounded size. It checks the kind and size of a file before it
 * opens the file, because opening a pipe waits for its writer, and a device never ends.
 */
public final class BoundedFile {

  /** The largest jar that is read or copied, in bytes. */
  public static final int LARGEST_JAR = 64 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private BoundedFile() {}

  /**
   * Reads a file.
   *
   * @param most the largest number of bytes that it may have
   * @throws java.nio.file.NoSuchFileException if it is not there
   * @throws FileSystemException with a reason, if it is not a file or has more bytes, also if it
   *     grows while it is read
   */
  public static byte[] read(Path file, int most) throws IOException {
    try (InputStream in = open(file, most)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw tooLarge(file, most);
      }
      return bytes;
    }
  }

  /**
   * Copies a file.
   *
   * @param to receives the bytes; never more than {@code most}
   * @param most the largest number of bytes that the file may have
   * @throws java.nio.file.NoSuchFileException if it is not there
   * @throws FileSystemException with a reason, if it is not a file or has more bytes, also if it
   *     grows while it is read
   */
  public static void copy(Path file, OutputStream to, int most) throws IOException {
    try (InputStream in = open(file, most)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      int left = most;
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        if (read > left) {
          throw tooLarge(file, most);
        }
        to.write(buffer, 0, read);
        left -= read;
      }
    }
  }

  private static InputStream open(Path file, int most) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw refused(file, "it is " + kind(attributes) + "; give a file");
    }
    if (attributes.size() > most) {
      throw tooLarge(file, most);
    }
    return Files.newInputStream(file);
  }

  /** The kind of something that is not a file, with its article. */
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
