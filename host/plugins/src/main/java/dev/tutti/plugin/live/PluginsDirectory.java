package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.plugin.signature.SignatureFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The jars of a plugins directory that are not being written: a file counts once two scans some
 * time apart see the same size, time and identity, or if its last change is long ago. Files that
 * must not be opened are reported and never opened. Not thread-safe.
 */
final class PluginsDirectory {

  /**
   * The longest name: with the prefix and suffix of a temporary file, it must fit into 255 bytes.
   */
  private static final int LONGEST_NAME = 240;

  private static final Pattern NO_ASCII = Pattern.compile("[^ -~]");

  private final Path directory;
  private final StableFiles stable;

  /**
   * The result of a scan.
   *
   * @param files the files that count, by name, sorted
   * @param names the names of all files
   * @param problem why the directory could not be read, or null
   */
  record Look(Map<String, FileStamp> files, Set<String> names, @Nullable String problem) {

    /** Whether all files count. */
    boolean isSettled() {
      return files.size() == names.size();
    }
  }

  PluginsDirectory(Path directory, Clock clock, InstantSource time) {
    this.stable = new StableFiles(clock, time);
    this.directory = directory;
  }

  Path path() {
    return directory;
  }

  /** Scans the directory. */
  Look look() {
    Map<String, FileStamp> found = new TreeMap<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path file : stream) {
        add(file, found);
      }
    } catch (IOException | DirectoryIteratorException e) {
      stable.retain(Set.of());
      return new Look(Map.of(), Set.of(), problem(e));
    }
    return settle(found);
  }

  /** Why the directory cannot be read, or null. */
  @Nullable String problem() {
    try (DirectoryStream<Path> _ = Files.newDirectoryStream(directory)) {
      return null;
    } catch (IOException e) {
      return problem(e);
    }
  }

  private String problem(Exception e) {
    if (!Files.exists(directory)) {
      return Sentence.of(
          "the plugins directory %s does not exist; create it, and put the plugins back",
          directory);
    }
    if (!Files.isDirectory(directory)) {
      return Sentence.of("%s is not a directory; name the one that holds the plugins", directory);
    }
    return Sentence.of("the plugins directory %s cannot be listed (%s)", directory, e.getMessage());
  }

  /** Adds a file under its name, or under the printable form of its name. */
  private void add(Path file, Map<String, FileStamp> found) {
    String name = String.valueOf(file.getFileName());
    if (!isNamed(file, name)) {
      found.put(
          NO_ASCII.matcher(name).replaceAll("?"),
          FileStamp.unusable("its name cannot be written in this system's encoding; rename it"));
      return;
    }
    FileStamp stamp = stamp(file, name);
    if (stamp != null) {
      found.put(name, stamp);
    }
  }

  /** Whether the name as text leads to the file: names are bytes, and some are not valid text. */
  private boolean isNamed(Path file, String name) {
    try {
      return directory.resolve(name).equals(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * The stamp of a file. A file that cannot be checked, such as a link to itself, must not hide the
   * others. Null for a file that has disappeared.
   */
  private static @Nullable FileStamp stamp(Path file, String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      return FileStamp.unusable(
          Sentence.of("its name has more than %d bytes; rename it", LONGEST_NAME));
    }
    try {
      return present(file);
    } catch (IOException e) {
      return FileStamp.unusable("its attributes cannot be read (" + e + ")");
    }
  }

  private static @Nullable FileStamp present(Path file) throws IOException {
    BasicFileAttributes jar;
    try {
      jar = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return Files.isSymbolicLink(file) ? leadsNowhere(file) : null;
    }
    if (!jar.isRegularFile()) {
      return FileStamp.unusable(
          Sentence.of("it is %s, not a jar; move it away", BoundedFile.kind(jar)));
    }
    if (jar.size() > BoundedFile.LARGEST_JAR) {
      return FileStamp.unusable(
          Sentence.of(
              "it is larger than %d MiB; leave out what the plugin does not need",
              BoundedFile.LARGEST_JAR >> 20));
    }
    return FileStamp.of(file, jar, signature(file));
  }

  private static FileStamp leadsNowhere(Path link) throws IOException {
    return new FileStamp(
        -1,
        0,
        Files.readSymbolicLink(link).toString(),
        "it is a symbolic link to a file that does not exist; put the jar there, or delete the"
            + " link");
  }

  /** A text that changes with the signature beside a jar; empty if there is none. */
  private static String signature(Path jar) {
    Path file = SignatureFile.beside(jar);
    try {
      BasicFileAttributes signature = Files.readAttributes(file, BasicFileAttributes.class);
      return Sentence.of(
          " signed %d %s%s",
          signature.size(), signature.lastModifiedTime(), FileStamp.changed(file));
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      return " signed " + e;
    }
  }

  private Look settle(Map<String, FileStamp> found) {
    Map<String, FileStamp> settled = new TreeMap<>();
    stable.retain(found.keySet());
    found.forEach(
        (name, stamp) -> {
          if (stable.isStable(name, stamp)) {
            settled.put(name, stamp);
          }
        });
    return new Look(settled, Set.copyOf(found.keySet()), null);
  }
}
