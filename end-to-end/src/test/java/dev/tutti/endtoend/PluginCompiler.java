package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes jars of plugins as their builds would: with the compiler, and the SDK of the build. */
final class PluginCompiler {

  /** The SDK of the build. */
  static final List<Path> SDK =
      List.of(Path.of(System.getProperty("tutti.dist"), "lib", "tutti-sdk-api.jar"));

  private PluginCompiler() {}

  /**
   * Compiles sources.
   *
   * @param libraries what they use; the first that has a class wins
   * @param classes where to
   * @param processing whether processors of annotations run, as the compiler's option
   */
  static void compile(List<Path> sources, List<Path> libraries, Path classes, String processing)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    String path =
        libraries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    List<String> options = List.of("-g", processing, "-cp", path, "-d", classes.toString());
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean isCompiled =
          compiler
              .getTask(
                  messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(isCompiled).as(messages.toString()).isTrue();
    }
  }

  /** Packs all files of a directory. */
  static Path pack(Path classes, Path jar) throws IOException {
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
