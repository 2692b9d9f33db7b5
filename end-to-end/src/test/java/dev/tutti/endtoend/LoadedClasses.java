package dev.tutti.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The classes of the command as a JVM has loaded them, kept for the many JVMs of these tests, as
 * the {@code tutti} script keeps them for its own: each starts with a quarter less work. Made when
 * the first command starts; where the JVM cannot make it, commands start without.
 */
final class LoadedClasses {

  private static final Path HOME = Path.of("target", "loaded-classes").toAbsolutePath();

  /** What a host looks for in its home, for the JVMs that it starts itself. */
  private static final Path CACHE = HOME.resolve("tutti.aot");

  private static final List<String> OPTIONS = make();

  private LoadedClasses() {}

  /** The options of a JVM that starts with them, on the module path that it was made for. */
  static List<String> options() {
    return OPTIONS;
  }

  private static List<String> make() {
    try {
      Files.createDirectories(HOME);
      Files.deleteIfExists(CACHE);
      List<String> command = new ArrayList<>(Tutti.java("-XX:AOTCacheOutput=" + CACHE));
      command.addAll(List.of("run", "allreduce", "--ranks=2", "--iterations=2"));
      command.add("--plugins=" + Tutti.DISTRIBUTION.resolve("plugins"));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(HOME.resolve("made.txt").toFile())
              .start();
      if (!process.waitFor(Tutti.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      } else if (process.exitValue() == 0 && Files.exists(CACHE)) {
        return List.of(
            "-XX:AOTCache=" + CACHE, "-Xlog:aot=off", "-Xlog:cds=off", "-Dtutti.home=" + HOME);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.of();
  }
}
