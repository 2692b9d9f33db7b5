package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A project that the archetype has generated, and further versions of it. */
final class GeneratedPlugin {

  private final Path project;
  private final String version;

  /**
   * A project of the archetype's tests.
   *
   * @param path its directory, under the directory of all
   * @param version what it was generated with
   */
  GeneratedPlugin(String path, String version) {
    this.project = Path.of(System.getProperty("tutti.generated")).resolve(path);
    this.version = version;
  }

  /** The jar that its build has made. */
  Path jar() {
    return project.resolve("target/%s-%s.jar".formatted(project.getFileName(), version));
  }

  /** The classes of its algorithm. */
  Path classes() {
    return project.resolve("target/classes");
  }

  /** The classes of its tests. */
  Path tests() {
    return project.resolve("target/test-classes");
  }

  /**
   * Makes a jar of another version of the code, as its build would.
   *
   * @param change what the author changes in the source
   */
  Path jar(Path directory, String newVersion, UnaryOperator<String> change) throws IOException {
    Path classes = classes(directory, changed(change), "-proc:full");
    return packed(
        classes,
        directory.resolve("plugin-%s.jar".formatted(newVersion)),
        manifest -> manifest.replace('"' + version + '"', '"' + newVersion + '"'));
  }

  /** Makes a jar of other classes. */
  Path packed(Path classes, Path jar, UnaryOperator<String> changedManifest) throws IOException {
    Path name = Path.of("META-INF/tutti/plugin.json");
    String manifest = Files.readString(classes().resolve(name));
    Files.createDirectories(classes.resolve(name).getParent());
    Files.writeString(classes.resolve(name), changedManifest.apply(manifest));
    return PluginCompiler.pack(classes, jar);
  }

  /** The source of its algorithm after a change, which must change something. */
  String changed(UnaryOperator<String> change) throws IOException {
    String before = Files.readString(onlySource());
    String after = change.apply(before);
    assertThat(after).as("the change finds its place").isNotEqualTo(before);
    return after;
  }

  /**
   * Compiles another source of its algorithm.
   *
   * @param processing whether processors of annotations run, as the compiler's option
   */
  Path classes(Path directory, String source, String processing) throws IOException {
    return classes(directory, source, PluginCompiler.SDK, processing);
  }

  /** Compiles another source of its algorithm against another SDK. */
  Path classes(Path directory, String source, List<Path> sdk, String processing)
      throws IOException {
    Path work = Files.createTempDirectory(directory, "version");
    Path file = Files.writeString(work.resolve(onlySource().getFileName().toString()), source);
    Path classes = Files.createDirectory(work.resolve("classes"));
    PluginCompiler.compile(List.of(file), sdk, classes, processing);
    return classes;
  }

  private Path onlySource() throws IOException {
    try (Stream<Path> files = Files.walk(project.resolve("src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).hasSize(1);
      return sources.getFirst();
    }
  }
}
