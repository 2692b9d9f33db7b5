package dev.tutti.plugin.store;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A copy on disk and its hash; both come from one read of the source.
 *
 * @param sha256 the hash of the copied bytes
 * @param bytes the number of copied bytes
 */
record HashedCopy(String sha256, long bytes) {

  private static final int BUFFER_BYTES = 1 << 16;

  /** Copies a stream into a file; an interrupt does not close streams, unlike channels. */
  static HashedCopy make(Path jar, InputStream in, Path copy, Steps steps) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    try (FileOutputStream out = new FileOutputStream(copy.toFile())) {
      for (int read = read(jar, in, buffer); read > 0; read = read(jar, in, buffer)) {
        steps.reached(Step.COPY_WRITING);
        digest.update(buffer, 0, read);
        out.write(buffer, 0, read);
        bytes += read;
        if (bytes > BoundedFile.LARGEST_JAR) {
          throw tooLarge(jar);
        }
      }
      out.getFD().sync();
    }
    return new HashedCopy(HexFormat.of().formatHex(digest.digest()), bytes);
  }

  /** The hash of a file. */
  static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static int read(Path jar, InputStream in, byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      throw unreadable(jar, e);
    }
  }

  private static TuttiException tooLarge(Path jar) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE,
        "%s is larger than %d MiB; leave out what the plugin does not need",
        jar,
        BoundedFile.LARGEST_JAR >> 20);
  }

  static TuttiException unreadable(Path jar, IOException e) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE, e, "%s cannot be read (%s); copy it again", jar, e);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
