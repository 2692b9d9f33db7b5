package dev.tutti.sdk.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaCompiler.CompilationTask;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * An author's build in a directory: sources of package {@code p} in {@code src}, compiled against
 * sdk-api with the processor to {@code classes}. The executors extend {@code p.Base}, which
 * implements all abstract methods.
 */
final class AuthorBuild {

  static final String SERVICES = "META-INF/services/dev.tutti.sdk.CollExecutorBase";

  private static final String BASE =
      """
      public abstract class Base<P extends OpParam> extends CollExecutorBase<P> {
        @Override public AlgResourceRequest calcResRequest(P param) {
          throw new UnsupportedOperationException();
        }
        @Override public void orchestrate(P param, AlgResourceResponse resources) {}
      }
      """;

  private final Path directory;
  private final Map<Path, String> sources = new LinkedHashMap<>();
  private final List<String> options = new ArrayList<>();
  private final List<Processor> otherProcessors = new ArrayList<>();

  AuthorBuild(Path directory) {
    this.directory = directory;
    options.addAll(List.of("-proc:full", "-d", classes().toString()));
    source("Base", BASE);
  }

  /** Where the sources are written to. */
  Path src() {
    return directory.resolve("src");
  }

  /** The class output. */
  Path classes() {
    return directory.resolve("classes");
  }

  /** The class path or module path entry that holds sdk-api. */
  static Path sdk() {
    try {
      return Path.of(
          CollExecutorBase.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Adds a type of package {@code p}; the imports are there already, on one line. */
  AuthorBuild source(String simpleName, String declaration) {
    return file(
        "p/" + simpleName + ".java",
        "package p; import dev.tutti.sdk.*; import dev.tutti.sdk.param.*;"
            + " import dev.tutti.sdk.resource.*;\n"
            + declaration);
  }

  /** Adds a well-formed executor of all-reduce. */
  AuthorBuild algorithm(String simpleName, String name) {
    return source(simpleName, annotated(name) + executor(simpleName));
  }

  static String annotated(String name) {
    return "@CollAlgorithm(name = \"%s\", summary = \"Good.\")\n".formatted(name);
  }

  static String executor(String simpleName) {
    return "public final class %s extends Base<AllReduceParam> {}".formatted(simpleName);
  }

  AuthorBuild file(String path, String text) {
    sources.put(src().resolve(path), text);
    return this;
  }

  /** Removes a type of package {@code p} that was added before. */
  AuthorBuild without(String simpleName) {
    sources.remove(src().resolve("p/" + simpleName + ".java"));
    return this;
  }

  AuthorBuild options(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  AuthorBuild processor(Processor processor) {
    otherProcessors.add(processor);
    return this;
  }

  /** Compiles with the class path. */
  Result run() {
    return run(List.of("--class-path", sdk().toString()), true);
  }

  /** Compiles with paths of the caller's own; the processor may come from one of them. */
  Result run(List<String> paths, boolean withProcessor) {
    List<String> all = new ArrayList<>(options);
    all.addAll(paths);
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = javac.getStandardFileManager(diagnostics, null, null)) {
      Files.createDirectories(classes());
      for (Map.Entry<Path, String> source : sources.entrySet()) {
        Files.createDirectories(source.getKey().getParent());
        Files.writeString(source.getKey(), source.getValue());
      }
      CompilationTask task =
          javac.getTask(
              null,
              files,
              diagnostics,
              all,
              null,
              files.getJavaFileObjectsFromPaths(sources.keySet()));
      if (withProcessor) {
        List<Processor> processors = new ArrayList<>(otherProcessors);
        processors.add(new CollAlgorithmProcessor());
        task.setProcessors(processors);
      }
      return new Result(task.call(), diagnostics.getDiagnostics(), classes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The diagnostics and the output of javac. */
  record Result(
      boolean isSuccess, List<Diagnostic<? extends JavaFileObject>> diagnostics, Path classes) {

    List<String> errors() {
      return messages(Diagnostic.Kind.ERROR);
    }

    List<String> warnings() {
      return messages(Diagnostic.Kind.WARNING);
    }

    private List<String> messages(Diagnostic.Kind kind) {
      return diagnostics.stream()
          .filter(diagnostic -> diagnostic.getKind() == kind)
          .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
          .toList();
    }

    /** Where the diagnostics are, as file and line. */
    List<String> places() {
      return diagnostics.stream()
          .map(
              diagnostic ->
                  Path.of(diagnostic.getSource().getName()).getFileName()
                      + ":"
                      + diagnostic.getLineNumber())
          .toList();
    }

    /** Checks that the build succeeded, and returns the lines of the services file. */
    List<String> providers() {
      assertThat(diagnostics).isEmpty();
      assertThat(isSuccess).isTrue();
      return services();
    }

    /** The lines of the services file; empty also if there is none. */
    List<String> services() {
      try {
        Path file = classes.resolve(SERVICES);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
