package dev.tutti.plugin.signature;

import dev.tutti.plugin.file.BoundedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file beside a jar that holds its signature. */
public final class SignatureFile {

  /** The suffix of its name after the name of the jar. */
  public static final String SUFFIX = ".sig";

  /** The largest size; a signature as text takes 88 bytes and some line ends. */
  private static final int MAX_BYTES = 1024;

  private SignatureFile() {}

  /** The file that holds the signature of a jar. */
  public static Path beside(Path jar) {
    return jar.resolveSibling(jar.getFileName() + SUFFIX);
  }

  /**
   * Reads the signature of a jar.
   *
   * @return the contents of the file, or null if there is none
   * @throws IOException if it cannot be read, is not a file, or is too large
   */
  public static byte @Nullable [] read(Path jar) throws IOException {
    try {
      return BoundedFile.read(beside(jar), MAX_BYTES);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
