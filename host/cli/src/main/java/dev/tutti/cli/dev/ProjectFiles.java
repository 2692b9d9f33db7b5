package dev.tutti.cli.dev;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a plugin's project that its jar depends on, at one time. Two states are equal if
 * they have the same files with the same contents. Immutable.
 *
 * @param root the directory of the project
 * @param contents the SHA-256 of each file, or the reason why it cannot be read
 */
record ProjectFiles(Path root, NavigableMap<Path, String> contents) {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Path RESOURCES = Path.of("src", "main", "resources");
  private static final Path MANIFEST = Path.of("META-INF", "tutti", "plugin.json");
  private static final Path POM = Path.of("pom.xml");

  /** Takes an immutable copy. */
  ProjectFiles {
    contents = Collections.unmodifiableNavigableMap(new TreeMap<>(contents));
  }

  /**
   * Reads the files as they are now. A file that disappears meanwhile is left out.
   *
   * @param root the directory of the project
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not a directory
   */
  static ProjectFiles read(Path root) {
    if (!Files.isDirectory(root)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          Files.exists(root)
              ? "%s is not a directory; name the directory of a plugin's project"
              : "%s does not exist; name the directory of a plugin's project, or make one with"
                  + " 'tutti new'",
          shown(root));
    }
    NavigableMap<Path, String> contents = new TreeMap<>();
    add(root.resolve(POM), contents);
    addAll(root.resolve(SOURCES), ".java", contents);
    addAll(root.resolve(RESOURCES), "", contents);
    return new ProjectFiles(root, contents);
  }

  private static Path shown(Path root) {
    return root.toAbsolutePath().normalize();
  }

  /** Adds all files except hidden ones and those with a tilde, which are editors' own files. */
  private static void addAll(Path directory, String ending, NavigableMap<Path, String> contents) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              String name = file.getFileName().toString();
              if (name.endsWith(ending) && !name.startsWith(".") && !name.endsWith("~")) {
                add(file, contents);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              if (!(e instanceof NoSuchFileException)) {
                contents.put(file, unreadable(e));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path file, @Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Path file, NavigableMap<Path, String> contents) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try {
      contents.put(file, sha256(Files.readAllBytes(file)));
    } catch (NoSuchFileException e) {
      // An editor is replacing the file; the next scan finds it.
    } catch (IOException e) {
      contents.put(file, unreadable(e));
    }
  }

  private static String unreadable(IOException e) {
    return "unreadable: " + e;
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Refuses a directory that is not a plugin's project.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}
   */
  void requirePlugin() {
    if (sources().isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "there is no Java source in %s; name the directory of a plugin's project, or make one"
              + " with 'tutti new'",
          shown(root.resolve(SOURCES)));
    }
    Path manifest = resourceDirectory().resolve(MANIFEST);
    if (!contents.containsKey(manifest)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s, the file that names the plugin, is missing; docs/writing-a-plugin.md shows one",
          shown(manifest));
    }
    contents.forEach(
        (file, content) -> {
          if (content.startsWith("unreadable")) {
            throw new TuttiException(
                ErrorCode.INVALID_ARGUMENT,
                "%s cannot be read (%s); give this user the right to",
                shown(file),
                content);
          }
        });
  }

  /** The Java sources. */
  List<Path> sources() {
    return below(root.resolve(SOURCES));
  }

  /** The files that become part of the jar as they are, or with values of the pom. */
  List<Path> resources() {
    return below(resourceDirectory());
  }

  /** The directory that the jar's paths of resources are relative to. */
  Path resourceDirectory() {
    return root.resolve(RESOURCES);
  }

  private List<Path> below(Path directory) {
    return contents.keySet().stream().filter(file -> file.startsWith(directory)).toList();
  }

  /** The project's pom.xml, which may be missing. */
  Path pom() {
    return root.resolve(POM);
  }

  /** The digest of pom.xml, for comparisons; empty if there is none. */
  String pomContent() {
    return contents.getOrDefault(pom(), "");
  }

  /** The directories in which new source directories may appear; those below them do not count. */
  static List<Path> parents(Path root) {
    return List.of(root, root.resolve("src"), root.resolve("src").resolve("main"));
  }

  /** The source directories; all those below them count. */
  static List<Path> trees(Path root) {
    return List.of(root.resolve(SOURCES), root.resolve(RESOURCES));
  }
}
