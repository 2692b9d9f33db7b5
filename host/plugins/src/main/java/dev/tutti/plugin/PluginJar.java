package dev.tutti.plugin;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A jar whose bytes were read once and are kept, so that the checked bytes are loaded, whatever
 * happens to the file. The bytes are on the heap, because a mapped file that shrinks would kill the
 * process. Immutable and thread-safe.
 *
 * <p>From a multi-release jar, the entries that this JVM would choose are used. Signatures in
 * {@code META-INF/*.SF} are ignored.
 */
final class PluginJar {

  /** The services file that names a plugin's executors. */
  static final String SERVICES = "META-INF/services/" + CollExecutorBase.class.getName();

  static final int MAX_FILE_BYTES = BoundedFile.LARGEST_JAR;

  /** The largest services file or manifest, which have only a few lines. */
  static final int MAX_TEXT_BYTES = 64 << 10;

  static final long MAX_UNPACKED_BYTES = 128L << 20;

  /** The largest ratio of unpacked to packed size; class files shrink to a half or a third. */
  static final int MAX_RATIO = 100;

  private static final int FREE_OF_RATIO = 1 << 20;
  static final int MAX_PROVIDERS = 1_000;

  private static final String VERSIONS = "META-INF/versions/";
  private static final Pattern VERSIONED = Pattern.compile(VERSIONS + "([1-9]\\d{0,4})/(.+)");
  private static final String TUTTI = "dev/tutti/";
  private static final Pattern SPI_CLASS =
      Pattern.compile("(" + VERSIONS + "\\d+/)?" + TUTTI + "(sdk|plan)/.*\\.class");

  private final Path file;
  private final byte[] bytes;
  private final Map<String, JarEntryData> all;
  private final Map<String, JarEntryData> effective;

  /** Replaces the services file; null if that of the jar is used. */
  private final byte @Nullable [] services;

  private PluginJar(Path file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
    this.services = null;
    this.all = JarEntries.read(bytes);
    checkSizes();
    this.effective = effective();
  }

  private PluginJar(PluginJar jar, byte[] services) {
    this.file = jar.file;
    this.bytes = jar.bytes;
    this.services = services;
    this.all = jar.all;
    this.effective = jar.effective;
  }

  /**
   * Reads a jar.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it is missing, not a file,
   *     empty, too large, damaged, not a jar, or a jar with names or sizes that are not allowed
   */
  static PluginJar read(Path file) {
    checkFile(file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      checkSize(bytes.length);
      if (bytes.length == 0) {
        throw JarEntries.refused("it is empty (0 bytes); copy it again");
      }
      return new PluginJar(file, bytes);
    } catch (IOException | SecurityException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE, e, "it cannot be read (%s)", e.getMessage());
    }
  }

  private static void checkSize(long size) {
    if (size > MAX_FILE_BYTES) {
      throw JarEntries.refused(
          "it is larger than %d MiB; leave out what the plugin does not need",
          MAX_FILE_BYTES >> 20);
    }
  }

  private static void checkFile(Path file) {
    if (Files.isRegularFile(file)) {
      checkSize(file.toFile().length());
      return;
    }
    if (Files.exists(file)) {
      throw JarEntries.refused(
          "it must be a jar file. Actual: a %s",
          Files.isDirectory(file) ? "directory" : "special file");
    }
    throw JarEntries.refused(
        Files.exists(file, LinkOption.NOFOLLOW_LINKS)
            ? "it is a link to a file that does not exist"
            : "it does not exist");
  }

  /**
   * Checks the claimed sizes: no entry gets more memory than it claims, so their sum bounds the
   * memory.
   */
  private void checkSizes() {
    long size = 0;
    for (JarEntryData entry : all.values()) {
      size += entry.size();
    }
    long most = Math.min(MAX_UNPACKED_BYTES, (long) MAX_RATIO * bytes.length + FREE_OF_RATIO);
    if (size > most) {
      throw JarEntries.refused(
          "it unpacks to %d bytes; a jar of %d bytes may unpack to %d at most",
          size, bytes.length, most);
    }
  }

  /**
   * Unpacks every entry once and drops it, including entries that are never read.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if one of them is damaged
   */
  void checkData() {
    all.values().forEach(entry -> entry.unpack(bytes));
  }

  private Map<String, JarEntryData> effective() {
    Map<String, JarEntryData> chosen = new TreeMap<>(all);
    if (all.keySet().stream().anyMatch(name -> name.startsWith(VERSIONS)) && isMultiRelease()) {
      Map<String, Integer> versions = new TreeMap<>();
      all.forEach(
          (name, entry) -> {
            Matcher versioned = VERSIONED.matcher(name);
            if (versioned.matches()) {
              choose(versioned, entry, versions, chosen);
            }
          });
    }
    chosen.values().removeIf(JarEntryData::isFolder);
    return chosen;
  }

  private static void choose(
      Matcher versioned,
      JarEntryData entry,
      Map<String, Integer> versions,
      Map<String, JarEntryData> chosen) {
    int version = Integer.parseInt(versioned.group(1));
    String name = versioned.group(2);
    boolean applies = version >= 9 && version <= Runtime.version().feature();
    if (applies && !name.startsWith("META-INF/") && version > versions.getOrDefault(name, 0)) {
      versions.put(name, version);
      chosen.put(name, entry);
    }
  }

  /** The lines up to the first empty one; the sections of entries after it may be very long. */
  private byte[] mainSection(JarEntryData entry) {
    byte[] text = entry.unpack(bytes);
    int end = 0;
    int line = 0;
    while (end < text.length && end < MAX_TEXT_BYTES) {
      if (text[end] == '\n' || text[end] == '\r') {
        boolean isPair = text[end] == '\r' && end + 1 < text.length && text[end + 1] == '\n';
        boolean isEmpty = line == end;
        end += isPair ? 2 : 1;
        line = end;
        if (isEmpty) {
          return Arrays.copyOf(text, end);
        }
      } else {
        end++;
      }
    }
    if (end < text.length) {
      throw tooLong(JarFile.MANIFEST_NAME);
    }
    return text;
  }

  static TuttiException tooLong(String name) {
    return JarEntries.refused("its %s has more than %d bytes", name, MAX_TEXT_BYTES);
  }

  private boolean isMultiRelease() {
    JarEntryData entry = all.get(JarFile.MANIFEST_NAME);
    if (entry == null) {
      return false;
    }
    try {
      Manifest manifest = new Manifest(new ByteArrayInputStream(mainSection(entry)));
      return Boolean.parseBoolean(
          manifest.getMainAttributes().getValue(Attributes.Name.MULTI_RELEASE));
    } catch (IOException e) {
      throw JarEntries.damaged(JarFile.MANIFEST_NAME + " is broken: " + e.getMessage());
    }
  }

  /** The file it was read from. */
  Path file() {
    return file;
  }

  /** The SHA-256 of the file's bytes. */
  byte[] digest() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The SHA-256 of the file's bytes as 64 lower-case hexadecimal digits. */
  String sha256() {
    return HexFormat.of().formatHex(digest());
  }

  /**
   * The bytes of a file in the jar, or null if there is none.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if they are damaged
   */
  byte @Nullable [] find(String name) {
    if (services != null && name.equals(SERVICES)) {
      return services.clone();
    }
    JarEntryData entry = effective.get(name);
    return entry == null ? null : entry.unpack(bytes);
  }

  /** The bytes of a class, by the name with slashes, or null. */
  byte @Nullable [] findClass(String internalName) {
    return find(internalName + ".class");
  }

  private byte @Nullable [] text(String name) {
    JarEntryData entry = effective.get(name);
    if (entry != null && entry.size() > MAX_TEXT_BYTES) {
      throw tooLong(name);
    }
    return find(name);
  }

  boolean has(String name) {
    return effective.containsKey(name);
  }

  /**
   * The bytes of the plugin's manifest, or null if there is none.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if they are damaged or too many
   */
  byte @Nullable [] manifest() {
    return text(PluginManifest.PATH);
  }

  /**
   * The class names in the services file, in order, or null if there is no such file.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if it is damaged or too large
   */
  @Nullable List<String> providers() {
    byte[] services = text(SERVICES);
    return services == null ? null : names(services);
  }

  /** The same jar with a part of its providers. Its bytes and their hash stay those of the file. */
  PluginJar withProviders(List<String> names) {
    return new PluginJar(this, String.join("\n", names).getBytes(StandardCharsets.UTF_8));
  }

  /** The entries in the packages of the SPI, which a jar must not contain. */
  List<String> spiClasses() {
    return all.keySet().stream()
        .filter(name -> name.contains(TUTTI) && SPI_CLASS.matcher(name).matches())
        .toList();
  }

  /** The names in a services file: one per line, with comments after a number sign. */
  static List<String> names(byte[] services) {
    Set<String> names = new LinkedHashSet<>();
    for (String line : new String(services, StandardCharsets.UTF_8).split("\\R", -1)) {
      int comment = line.indexOf('#');
      String name = (comment < 0 ? line : line.substring(0, comment)).trim();
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    if (names.size() > MAX_PROVIDERS) {
      throw JarEntries.refused(
          "its %s names %d providers; at most %d are allowed",
          SERVICES, names.size(), MAX_PROVIDERS);
    }
    return List.copyOf(names);
  }
}
