package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A jar, a directory of classes or a module of the application that names executors.
 *
 * @param name the name of a module, or the address of anything else
 * @param path the file or directory, or null if it is neither
 * @param manifest its manifest, or null if it has none
 * @param hasServices whether it has a services file; a module counts as one that has
 * @param declared the classes that it names
 */
record PathEntry(
    String name,
    @Nullable Path path,
    @Nullable PluginManifest manifest,
    boolean hasServices,
    List<String> declared) {

  /** The end of a jar's address; the names of files follow it. */
  private static final String END_OF_JAR = "!/";

  /**
   * Makes an entry of the class path.
   *
   * @param root its address
   * @throws TuttiException with one of the PLUGIN codes if one of its files cannot be read
   */
  static PathEntry ofClassPath(String root, @Nullable URL services, @Nullable URL manifest) {
    List<String> declared =
        services == null ? List.of() : PluginJar.names(read(PluginJar.SERVICES, services));
    return new PathEntry(
        root,
        path(root),
        manifest == null ? null : checked(read(PluginManifest.PATH, manifest)),
        services != null,
        declared);
  }

  /**
   * Makes the entry of a module.
   *
   * @throws TuttiException with one of the PLUGIN codes if its manifest cannot be read
   */
  static PathEntry ofModule(Module module) {
    try (InputStream in = module.getResourceAsStream(PluginManifest.PATH)) {
      return new PathEntry(
          module.getName(),
          Modules.path(module),
          in == null ? null : checked(read(PluginManifest.PATH, in)),
          true,
          Modules.declared(module));
    } catch (IOException e) {
      throw unreadable(PluginManifest.PATH, e);
    }
  }

  private static PluginManifest checked(byte[] json) {
    PluginManifest manifest = new ManifestReader().read(json);
    JarChecks.checkSpiVersion(manifest);
    return manifest;
  }

  /** The same entry with fewer classes. */
  PathEntry withDeclared(List<String> fewer) {
    return new PathEntry(name, path, manifest, hasServices, fewer);
  }

  /** Its place, for messages. */
  String shown() {
    return path == null ? name : path.toString();
  }

  /** The file or directory of an address, or null if it is neither. */
  static @Nullable Path path(String root) {
    String file = root.startsWith("jar:") ? root.substring("jar:".length()) : root;
    try {
      URI place =
          URI.create(
              file.endsWith(END_OF_JAR)
                  ? file.substring(0, file.length() - END_OF_JAR.length())
                  : file);
      return "file".equals(place.getScheme()) ? Path.of(place) : null;
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      return null; // an address that only its class loader understands
    }
  }

  private static byte[] read(String name, URL url) {
    try {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false); // otherwise the jar would stay open
      try (InputStream in = connection.getInputStream()) {
        return read(name, in);
      }
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static byte[] read(String name, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(PluginJar.MAX_TEXT_BYTES + 1);
    if (bytes.length > PluginJar.MAX_TEXT_BYTES) {
      throw PluginJar.tooLong(name);
    }
    return bytes;
  }

  private static TuttiException unreadable(String name, IOException e) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE, e, "its %s cannot be read (%s)", name, e.getMessage());
  }
}
