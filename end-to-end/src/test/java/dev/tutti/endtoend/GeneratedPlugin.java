package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A project that the archetype has generated, and further versions of it. */
final class GeneratedPlugin {

  private static final Path SDK =
      Path.of(System.getProperty("tutti.dist"), "lib", "tutti-sdk-api.jar");

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
    Path manifest = classes.resolve("META-INF/tutti/plugin.json");
    Files.createDirectories(manifest.getParent());
    Files.writeString(
        manifest,
        Files.readString(project.resolve("target/classes/META-INF/tutti/plugin.json"))
            .replace('"' + version + '"', '"' + newVersion + '"'));
    return pack(classes, directory.resolve("plugin-%s.jar".formatted(newVersion)));
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
    Path work = Files.createTempDirectory(directory, "version");
    Path file = Files.writeString(work.resolve(onlySource().getFileName().toString()), source);
    Path classes = Files.createDirectory(work.resolve("classes"));
    compile(file, classes, processing);
    return classes;
  }

  private Path onlySource() throws IOException {
    try (Stream<Path> files = Files.walk(project.resolve("src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).hasSize(1);
      return sources.getFirst();
    }
  }

  private static void compile(Path source, Path classes, String processing) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean isCompiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of("-g", processing, "-cp", SDK.toString(), "-d", classes.toString()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(isCompiled).as(messages.toString()).isTrue();
    }
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }
}
