package dev.tutti.endtoend;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The application of {@code src/it}, which a Maven of its own has built. It knows the artifacts of
 * this build out of a repository, and nothing else of it.
 */
final class Application {

  private static final Path PROJECT = Path.of(System.getProperty("tutti.applications"));
  private static final Path TARGET = PROJECT.resolve("application/target");

  /** Its module and its class. */
  static final String MODULE = "org.example.app";

  private static final String MAIN = MODULE + ".Main";

  private Application() {}

  /**
   * What a run did.
   *
   * @param code its exit code
   * @param lines what it printed, errors included
   */
  record Result(int code, List<String> lines) {}

  /** The jar of its own classes. */
  static Path jar() {
    return TARGET.resolve("application-1.0.0.jar");
  }

  /** The jars that it depends on, sorted by name. */
  static List<Path> libraries() throws IOException {
    try (Stream<Path> files = Files.list(TARGET.resolve("lib"))) {
      return files.sorted().toList();
    }
  }

  /** Those that are plugins. */
  static List<Path> plugins() throws IOException {
    return libraries().stream().filter(Application::isPlugin).toList();
  }

  /** Those that are no plugins. */
  static List<Path> others() throws IOException {
    return libraries().stream().filter(each -> !isPlugin(each)).toList();
  }

  private static boolean isPlugin(Path jar) {
    return jar.getFileName().toString().startsWith("tutti-plugin-");
  }

  /** Runs it with all on the class path. */
  static Result onClassPath(List<Path> path) throws IOException, InterruptedException {
    return run("-cp", text(path), MAIN);
  }

  /** Runs it as a module. */
  static Result onModulePath(List<Path> path, List<Path> classPath)
      throws IOException, InterruptedException {
    return run("-p", text(path), "-cp", text(classPath), "-m", MODULE + "/" + MAIN);
  }

  private static String text(List<Path> path) {
    return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static Result run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output.lines().toList());
  }
}
