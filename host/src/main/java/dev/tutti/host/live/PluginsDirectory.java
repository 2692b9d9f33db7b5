package dev.tutti.host.live;

import dev.tutti.host.text.Sentence;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jars of a plugins directory, as far as nobody is writing them: a file counts once two looks
 * some time apart see the same size, time and identity, or if its last change is long ago. Not
 * thread-safe.
 */
final class PluginsDirectory {

  /** Two looks less apart are one. */
  private static final long APART_NANOS = Duration.ofMillis(40).toNanos();

  /** A file that has not changed for so long is not being written. */
  private static final long QUIET_MILLIS = 2_000;

  private final Path directory;
  private final Map<String, Seen> seen = new HashMap<>();

  /** What tells one content of a file from the next without reading it. */
  record Stamp(long size, long modifiedMillis, String key) {

    /** The stamp of no file. */
    static final Stamp NONE = new Stamp(-1, 0, "");

    /** The stamp of what cannot be looked at, for the given reason; reading it fails, too. */
    static Stamp unreadable(String reason) {
      return new Stamp(-1, 0, reason);
    }
  }

  private record Seen(Stamp stamp, long nanos) {}

  /**
   * What a look saw.
   *
   * @param files the files that count, by name, sorted
   * @param names the names of all files
   * @param problem why nothing could be seen, or null
   */
  record Look(Map<String, Stamp> files, Set<String> names, @Nullable String problem) {

    /** Whether all files count. */
    boolean isSettled() {
      return files.size() == names.size();
    }
  }

  PluginsDirectory(Path directory) {
    this.directory = directory;
  }

  Path path() {
    return directory;
  }

  /** Looks at the directory. */
  Look look() {
    Map<String, Stamp> found = new TreeMap<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*.jar")) {
      for (Path file : stream) {
        Stamp stamp = stamp(file);
        if (stamp != null) {
          found.put(file.getFileName().toString(), stamp);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      seen.clear();
      return new Look(Map.of(), Set.of(), problem(e));
    }
    return settle(found);
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

  /** One file that cannot be looked at, such as a link to itself, must not hide the others. */
  private static @Nullable Stamp stamp(Path file) {
    try {
      return present(file);
    } catch (IOException e) {
      return Stamp.unreadable(e.toString());
    }
  }

  /**
   * Null for a file that went away meanwhile, and for what is no file, but for links to nothing.
   */
  private static @Nullable Stamp present(Path file) throws IOException {
    try {
      BasicFileAttributes jar = Files.readAttributes(file, BasicFileAttributes.class);
      if (!jar.isRegularFile()) {
        return null;
      }
      String key = jar.fileKey() + changed(file) + signature(file);
      return new Stamp(jar.size(), jar.lastModifiedTime().toMillis(), key);
    } catch (NoSuchFileException e) {
      return Files.isSymbolicLink(file)
          ? Stamp.unreadable("leads to " + Files.readSymbolicLink(file))
          : null;
    }
  }

  /** What tells the signature beside a jar from the next one; empty if there is none. */
  private static String signature(Path jar) throws IOException {
    Path file = jar.resolveSibling(jar.getFileName() + ".sig");
    try {
      BasicFileAttributes signature = Files.readAttributes(file, BasicFileAttributes.class);
      return " signed " + signature.size() + signature.lastModifiedTime() + changed(file);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /**
   * When the system changed the file, which no tool that copies can set back as it can the time;
   * empty where the system does not say.
   */
  private static String changed(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? " changed " + Files.getAttribute(file, "unix:ctime")
        : "";
  }

  private Look settle(Map<String, Stamp> found) {
    Map<String, Stamp> settled = new TreeMap<>();
    long now = System.nanoTime();
    long today = System.currentTimeMillis();
    seen.keySet().retainAll(found.keySet());
    found.forEach(
        (name, stamp) -> {
          Seen before = seen.get(name);
          if (before == null || !before.stamp.equals(stamp)) {
            before = new Seen(stamp, now);
            seen.put(name, before);
          }
          long quiet = today - stamp.modifiedMillis;
          if (now - before.nanos >= APART_NANOS || quiet >= QUIET_MILLIS) {
            settled.put(name, stamp);
          }
        });
    return new Look(settled, Set.copyOf(found.keySet()), null);
  }
}
