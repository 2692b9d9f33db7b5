package dev.tutti.cli.dev;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks a project's own Maven for the jars that its main classes are compiled with. */
final class MavenClassPath {

  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final String ERROR = "[ERROR] ";
  private static final int MOST_LINES = 10;
  private static final boolean IS_WINDOWS = File.separatorChar == '\\';

  private MavenClassPath() {}

  /**
   * Starts Maven and waits for its answer.
   *
   * @param root the directory of the project
   * @param directory a directory for the files of this call
   * @param isStopped whether the answer is no longer needed; if so, it is empty
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if Maven cannot be started or
   *     fails
   */
  static List<Path> ask(Path root, Path directory, BooleanSupplier isStopped) {
    Path answer = directory.resolve("class-path.txt");
    Path log = directory.resolve("maven.log");
    Process maven = start(root, answer, log);
    Clock clock = Clock.system();
    boolean hasEnded =
        clock.awaitUntil(
            () -> !maven.isAlive() || isStopped.getAsBoolean(), LIMIT_NANOS, POLL_NANOS);
    if (maven.isAlive()) {
      maven.descendants().forEach(ProcessHandle::destroy);
      maven.destroy();
    }
    if (isStopped.getAsBoolean()) {
      return List.of();
    }
    if (!hasEnded) {
      throw failed(
          "it has not ended after " + TimeUnit.NANOSECONDS.toMinutes(LIMIT_NANOS) + " min");
    }
    try {
      if (maven.exitValue() != 0 || !Files.exists(answer)) {
        throw failed(errors(log));
      }
      return Stream.of(Files.readString(answer).strip().split(File.pathSeparator, -1))
          .filter(each -> !each.isEmpty())
          .map(Path::of)
          .toList();
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()));
    }
  }

  private static Process start(Path root, Path answer, Path log) {
    Path wrapper = root.toAbsolutePath().resolve(IS_WINDOWS ? "mvnw.cmd" : "mvnw");
    List<String> command =
        new ArrayList<>(
            List.of(
                Files.exists(wrapper) ? wrapper.toString() : IS_WINDOWS ? "mvn.cmd" : "mvn",
                "-B",
                "-q",
                "dependency:build-classpath",
                "-DincludeScope=compile",
                "-Dmdep.outputFile=" + answer.toAbsolutePath()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(root.toAbsolutePath().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      Files.deleteIfExists(answer);
      Process maven = builder.start();
      maven.getOutputStream().close();
      return maven;
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()));
    }
  }

  private static String errors(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    List<String> errors = lines.stream().filter(line -> line.startsWith(ERROR)).toList();
    return (errors.isEmpty() ? lines : errors)
        .stream()
            .limit(MOST_LINES)
            .map(line -> line.replace(ERROR, ""))
            .collect(Collectors.joining("\n"));
  }

  private static TuttiException failed(String why) {
    return new TuttiException(
        ErrorCode.PLUGIN_UNREADABLE,
        "Maven did not report the class path; pom.xml has dependencies besides tutti-sdk-api, so"
            + " check that './mvnw verify' works in the project: %s",
        why);
  }
}
