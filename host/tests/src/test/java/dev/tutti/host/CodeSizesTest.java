package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and packages of the product stay of a size that one can take in. */
final class CodeSizesTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final List<String> GROUPS =
      List.of("sdk-api", "sdk-testkit", "reference-plugins", "host");
  private static final int MOST_LINES = 420;
  private static final int MOST_FILES = 50;

  @TempDir private Path directory;

  @Test
  void filesAndPackagesAreSmall() throws IOException {
    List<Path> files = productFiles(ROOT);

    assertThat(files).hasSizeGreaterThan(800);
    assertThat(tooLarge(files)).isEmpty();
  }

  @Test
  void whatIsTooLargeIsNoticed() throws IOException {
    for (String group : GROUPS) {
      Files.createDirectories(directory.resolve(group));
    }
    Path place = Files.createDirectories(directory.resolve("host/m/src/main/java/dev/tutti/p"));
    Files.writeString(place.resolve("Long.java"), "\n".repeat(MOST_LINES + 1));
    for (int file = 0; file < MOST_FILES; file++) {
      Files.writeString(place.resolve("F" + file + ".java"), "\n");
    }

    assertThat(tooLarge(productFiles(directory)))
        .containsExactly("Long.java has 421 lines", "dev/tutti/p has 51 files");
  }

  /** The files of the delivered modules; samples are for tests. */
  private static List<Path> productFiles(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String group : GROUPS) {
      try (Stream<Path> modules = Files.list(root.resolve(group))) {
        for (Path module : modules.sorted().toList()) {
          Path sources = module.resolve("src/main/java");
          if (Files.isDirectory(sources) && !module.endsWith("samples")) {
            files.addAll(filesIn(sources));
          }
        }
      }
    }
    return files;
  }

  private static List<Path> filesIn(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.getParent().equals(sources))
          .sorted()
          .toList();
    }
  }

  private static List<String> tooLarge(List<Path> files) throws IOException {
    List<String> found = new ArrayList<>();
    Map<String, Integer> packages = new TreeMap<>();
    for (Path file : files) {
      long lines = Files.readString(file).lines().count();
      if (lines > MOST_LINES) {
        found.add(file.getFileName() + " has " + lines + " lines");
      }
      String folder = file.getParent().toString();
      packages.merge(folder.substring(folder.indexOf("dev/tutti/")), 1, Integer::sum);
    }
    packages.forEach(
        (name, count) -> {
          if (count > MOST_FILES) {
            found.add(name + " has " + count + " files");
          }
        });
    return found;
  }
}
