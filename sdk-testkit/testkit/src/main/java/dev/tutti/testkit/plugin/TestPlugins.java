package dev.tutti.testkit.plugin;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Makes a plugin jar from existing classes: class files, services file, manifest. Equal content
 * gives equal bytes. Not thread-safe.
 *
 * <pre>{@code
 * TestPlugins.plugin("org.example.ring").version("1.1.0").provider(RingAllReduce.class).write(jar);
 * }</pre>
 */
public final class TestPlugins {

  /** The services file of executors. */
  public static final String SERVICES = "META-INF/services/" + CollExecutorBase.class.getName();

  /** The manifest of a plugin. */
  public static final String MANIFEST = "META-INF/tutti/plugin.json";

  private final String id;
  private final Map<String, byte[]> entries = new TreeMap<>();
  private final List<String> providers = new ArrayList<>();
  private String version = "1.0.0";
  private String sdk = "[0.1,1.0)";

  private TestPlugins(String id) {
    this.id = id;
  }

  /**
   * Starts a plugin. By default it has version 1.0.0 and requires SPI version 0.1 or a later 0.x.
   */
  public static TestPlugins plugin(String id) {
    return new TestPlugins(id);
  }

  /**
   * A jar with providers, under the id {@code org.example.test}.
   *
   * @param file where the jar is written; an existing one is replaced
   * @return the file
   * @throws UncheckedIOException if the file cannot be written
   */
  public static Path jar(Path file, Class<?>... providers) {
    TestPlugins plugin = plugin("org.example.test");
    for (Class<?> provider : providers) {
      plugin.provider(provider);
    }
    return plugin.write(file);
  }

  /** The plugin's version. */
  public TestPlugins version(String newVersion) {
    this.version = newVersion;
    return this;
  }

  /** The range of SPI versions that the plugin requires, for example {@code "[0.1,1.0)"}. */
  public TestPlugins sdk(String range) {
    this.sdk = range;
    return this;
  }

  /** Adds a class with the classes nested in it, and lists it as a provider. */
  public TestPlugins provider(Class<?> provider) {
    providers.add(provider.getName());
    return withClass(provider);
  }

  /**
   * Adds a copy of a class under other names, and lists it as a provider. The class must not have
   * nested classes.
   *
   * @param className the binary name of the copy
   * @param algorithm the name that the copy's {@code @CollAlgorithm} gets
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are nested classes
   */
  public TestPlugins copyOf(Class<?> provider, String className, String algorithm) {
    if (!withNested(provider).equals(List.of(provider))) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "only a class without nested classes can be copied under another name. Actual: %s has %s",
          provider.getName(),
          withNested(provider).get(1).getName());
    }
    providers.add(className);
    entries.put(
        fileOf(className), ClassCopy.of(read(provider), provider.getName(), className, algorithm));
    return this;
  }

  /** Adds a class with the classes nested in it. */
  public TestPlugins withClass(Class<?> type) {
    for (Class<?> each : withNested(type)) {
      entries.put(fileOf(each.getName()), read(each));
    }
    return this;
  }

  /**
   * Adds a file, or replaces the file of that name. An added manifest or services file replaces the
   * generated one.
   */
  public TestPlugins entry(String name, String text) {
    entries.put(name, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /**
   * Writes the jar.
   *
   * @param file the jar; an existing file is replaced, and missing directories are created
   * @return the file
   * @throws UncheckedIOException if the file cannot be written
   */
  public Path write(Path file) {
    Map<String, byte[]> content = new TreeMap<>(entries);
    content.putIfAbsent(MANIFEST, manifest().getBytes(StandardCharsets.UTF_8));
    content.putIfAbsent(
        SERVICES, (String.join("\n", providers) + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
        for (Map.Entry<String, byte[]> each : content.entrySet()) {
          JarEntry entry = new JarEntry(each.getKey());
          entry.setTime(0);
          jar.putNextEntry(entry);
          jar.write(each.getValue());
          jar.closeEntry();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    return file;
  }

  private String manifest() {
    return """
    {"id": "%s", "version": "%s", "sdk": "%s", "provider": "tests", "license": "Apache-2.0",
     "summary": "made in a test", "capabilities": []}
    """
        .formatted(id, version, sdk);
  }

  /** A class and its nested classes, by name, without the enclosing class. */
  private static List<Class<?>> withNested(Class<?> type) {
    List<Class<?>> found = new ArrayList<>(List.of(type));
    for (Class<?> member : type.getNestMembers()) {
      if (member.getName().startsWith(type.getName() + "$")) {
        found.add(member);
      }
    }
    return found;
  }

  private static String fileOf(String className) {
    return className.replace('.', '/') + ".class";
  }

  private static byte[] read(Class<?> type) {
    String file = fileOf(type.getName());
    ClassLoader loader = type.getClassLoader();
    try (InputStream stream = loader == null ? null : loader.getResourceAsStream(file)) {
      if (stream == null) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "%s has no class file to put into a jar", type.getName());
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
