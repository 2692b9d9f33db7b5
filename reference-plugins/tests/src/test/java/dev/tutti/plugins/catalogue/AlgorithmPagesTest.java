package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/algorithms.md and its pictures with the reference plugins. With the system property
 * {@code tutti.algorithms.rewrite} set, it writes them instead.
 */
class AlgorithmPagesTest {

  private static final boolean REWRITES = System.getProperty("tutti.algorithms.rewrite") != null;

  private final Path root = Repository.root();
  private final Path pictures = root.resolve("docs/algorithms");

  @Test
  void everyPluginModuleHasAlgorithms() throws IOException {
    List<String> modules = Repository.plugins(root);
    assertThat(Algorithm.all())
        .extracting(Algorithm::family)
        .containsAll(modules)
        .allMatch(modules::contains);
  }

  @Test
  void thePageIsThatOfThePlugins() throws IOException {
    Path page = root.resolve("docs/algorithms.md");
    String text = new AlgorithmPage(root, Algorithm.all()).text();
    if (REWRITES) {
      Files.writeString(page, text);
    }
    assertThat(page).as("run with -Dtutti.algorithms.rewrite=true").content().isEqualTo(text);
  }

  @Test
  void thePicturesAreThoseOfThePlans() throws IOException {
    Map<String, String> drawn = new TreeMap<>();
    for (Algorithm algorithm : Algorithm.all()) {
      drawn.put(algorithm.picture(), algorithm.draw());
    }
    if (REWRITES) {
      rewrite(drawn);
    }
    try (Stream<Path> files = Files.list(pictures)) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted())
          .as("run with -Dtutti.algorithms.rewrite=true")
          .containsExactlyElementsOf(drawn.keySet());
    }
    for (Map.Entry<String, String> picture : drawn.entrySet()) {
      assertThat(pictures.resolve(picture.getKey()))
          .as("run with -Dtutti.algorithms.rewrite=true")
          .content()
          .isEqualTo(picture.getValue());
    }
  }

  private void rewrite(Map<String, String> drawn) throws IOException {
    Files.createDirectories(pictures);
    try (Stream<Path> files = Files.list(pictures)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, String> picture : drawn.entrySet()) {
      Files.writeString(pictures.resolve(picture.getKey()), picture.getValue());
    }
  }
}
