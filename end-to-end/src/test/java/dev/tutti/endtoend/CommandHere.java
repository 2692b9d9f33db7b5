package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The {@code tutti} command of the distribution in the JVM of the test, for many requests that move
 * no data. Each saves the start of a process. Its classes are loaded once for all tests.
 */
final class CommandHere {

  private static final ClassLoader LOADER = load();

  private CommandHere() {}

  private static ClassLoader load() {
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(Tutti.DISTRIBUTION.resolve("lib"))) {
      for (Path jar : files.toList()) {
        jars.add(jar.toUri().toURL());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Runs a command that must succeed in a directory, and returns what it prints. */
  static String succeed(Path directory, String... arguments) throws ReflectiveOperationException {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    Class<?> terminals = LOADER.loadClass("dev.tutti.cli.terminal.Terminal");
    Object terminal =
        terminals
            .getConstructor(PrintWriter.class, PrintWriter.class, boolean.class, boolean.class)
            .newInstance(out, out, false, false);
    Class<?> hosts = LOADER.loadClass("dev.tutti.cli.host.Hosts");
    Supplier<List<Path>> noJobs = List::of;
    Object none = hosts.getMethod("ofProcess", Supplier.class).invoke(null, noJobs);
    Object command =
        LOADER
            .loadClass("dev.tutti.cli.Cli")
            .getConstructor(terminals, hosts, Path.class)
            .newInstance(terminal, none, directory);
    Object code =
        command.getClass().getMethod("run", String[].class).invoke(command, (Object) arguments);
    out.flush();
    assertThat(code).as("%s%n%s", List.of(arguments), printed).isEqualTo(0);
    return printed.toString();
  }
}
