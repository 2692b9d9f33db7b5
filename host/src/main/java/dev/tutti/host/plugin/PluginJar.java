package dev.tutti.host.plugin;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * What can be known about a jar before any of its classes is defined. Immutable.
 *
 * @param manifest the bytes of the manifest, or null if there is none
 * @param providers the class names in the services file, in order, or null if there is no such file
 * @param spiClasses entries that are in the packages of the SPI
 */
record PluginJar(
    byte @Nullable [] manifest, @Nullable List<String> providers, List<String> spiClasses) {

  /** The services file that names a plugin's executors. */
  static final String SERVICES = "META-INF/services/" + CollExecutorBase.class.getName();

  private static final Pattern SPI_CLASS =
      Pattern.compile("(META-INF/versions/\\d+/)?dev/tutti/sdk/.*\\.class");

  /** The largest manifest or services file that is read. */
  private static final int MAX_BYTES = 1 << 20;

  /**
   * Reads a jar.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it is not there, not a file,
   *     empty, damaged or not a jar
   */
  static PluginJar read(Path file) {
    checkFile(file);
    try (JarFile jar = new JarFile(file.toFile())) {
      List<String> spiClasses =
          jar.stream()
              .map(ZipEntry::getName)
              .filter(name -> SPI_CLASS.matcher(name).matches())
              .toList();
      byte[] services = bytes(jar, SERVICES);
      return new PluginJar(
          bytes(jar, PluginManifest.PATH), services == null ? null : names(services), spiClasses);
    } catch (ZipException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          e,
          "it is not a jar, or it is damaged or not copied to its end (%s); copy it again",
          e.getMessage());
    } catch (IOException | SecurityException | IllegalArgumentException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, e, "it cannot be read (%s)", e.getMessage());
    }
  }

  private static void checkFile(Path file) {
    try {
      if (!Files.exists(file)) {
        throw new TuttiException(ErrorCode.PLUGIN_UNREADABLE, "it does not exist");
      }
      if (!Files.isRegularFile(file)) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE, "it must be a jar file. Actual: a directory");
      }
      if (Files.size(file) == 0) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE, "it is empty (0 bytes); copy it again");
      }
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, e, "it cannot be read (%s)", e.getMessage());
    }
  }

  private static byte @Nullable [] bytes(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null || entry.isDirectory()) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readNBytes(MAX_BYTES);
    }
  }

  /** The names in a services file: one a line, comments after a number sign. */
  private static List<String> names(byte[] services) {
    List<String> names = new ArrayList<>();
    for (String line : new String(services, StandardCharsets.UTF_8).split("\\R", -1)) {
      int comment = line.indexOf('#');
      String name = (comment < 0 ? line : line.substring(0, comment)).trim();
      if (!name.isEmpty() && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }
}
