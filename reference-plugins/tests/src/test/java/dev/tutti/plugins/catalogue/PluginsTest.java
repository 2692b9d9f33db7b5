package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PluginsTest {

  private static final String PACKAGE = "dev.tutti.plugins.";

  static List<String> plugins() throws IOException {
    List<String> plugins = Repository.plugins(Repository.root());
    assertThat(plugins).hasSizeGreaterThan(10);
    return plugins;
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void offersItsAlgorithmsAsServices(String plugin) throws IOException {
    assertThat(services(plugin).stream().map(Class::getName))
        .isNotEmpty()
        .containsExactlyElementsOf(annotated(plugin));
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void itsManifestNamesTheVersionOfTheBuild(String plugin) throws IOException {
    URL jar = services(plugin).getFirst().getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, null);
        InputStream manifest = loader.getResourceAsStream("META-INF/tutti/plugin.json")) {
      assertThat(manifest).isNotNull();
      assertThat(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"id\": \"dev.tutti." + plugin + "\"")
          .containsPattern("\"version\": \"\\d+\\.\\d+\\.\\d+");
    }
  }

  private static List<Class<?>> services(String plugin) {
    return ServiceLoader.load(CollExecutorBase.class).stream()
        .<Class<?>>map(ServiceLoader.Provider::type)
        .filter(each -> each.getPackageName().equals(PACKAGE + plugin))
        .toList();
  }

  /** The classes that have the annotation in the sources of a plugin. */
  private static List<String> annotated(String plugin) throws IOException {
    Path sources = Repository.root().resolve("reference-plugins/" + plugin + "/src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      List<String> names = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
        if (Files.readString(file).contains("\n@CollAlgorithm(")) {
          String name = file.getFileName().toString();
          names.add(PACKAGE + plugin + "." + name.substring(0, name.length() - ".java".length()));
        }
      }
      return names;
    }
  }
}
