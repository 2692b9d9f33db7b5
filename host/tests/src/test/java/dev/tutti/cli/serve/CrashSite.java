package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.Cli;
import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A plugins directory with its state, hosts that serve it, and one that is killed. */
public final class CrashSite {

  static final String ID = "org.example.pull";

  private static final String FILE = "pull.jar";

  /** Far longer than the changes of all sites of a process take, also on a busy machine. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(20);

  private static final Pattern SERVING = Pattern.compile(ID + " +(\\S+) +serving.*");

  private final Path jars;
  private final Path directory;

  /**
   * A site that is empty, or has been used before.
   *
   * @param jars has a directory for each version with a jar in it
   */
  CrashSite(Path jars, Path directory) throws IOException {
    this.jars = jars;
    this.directory = directory;
    Files.createDirectories(plugins());
  }

  Path plugins() {
    return directory.resolve("plugins");
  }

  Path state() {
    return directory.resolve("plugins.state");
  }

  /** The jar of a version; all have one name. */
  Path jar(String version) {
    return jars.resolve(version).resolve(FILE);
  }

  /** Puts a version into the plugins directory as a careful person does. */
  void drop(String version) throws IOException {
    Path part = Files.copy(jar(version), directory.resolve("part"));
    Files.move(part, plugins().resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
  }

  /** The same files in another place. */
  CrashSite copyTo(Path other) throws IOException {
    CrashSite copy = new CrashSite(jars, other);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = other.resolve(directory.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return copy;
  }

  /** Speaks to the host that serves. */
  Outcome tutti(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--plugins", plugins().toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), false, false);
    int exitCode =
        new Cli(terminal, new Hosts(List.of(), Context::builder)).run(all.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** The serving version; empty if none serves. */
  String serving() {
    return tutti("plugins", "list").lines().stream()
        .map(SERVING::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1))
        .reduce((left, right) -> left + " and " + right)
        .orElse("");
  }

  public static List<String> names(Path files) throws IOException {
    try (Stream<Path> all = Files.list(files)) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Serves on a thread of the test until it is closed. */
  Served serve(Hosts hosts) {
    return new Served(hosts);
  }

  /** A host of this process. */
  final class Served implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final FutureTask<Integer> host;

    private Served(Hosts hosts) {
      Terminal terminal =
          new Terminal(new PrintWriter(out, true), new PrintWriter(out, true), false, false);
      host =
          new FutureTask<>(
              () -> new Cli(terminal, hosts).run("serve", "--plugins", plugins().toString()));
      Thread.ofPlatform().daemon().start(host);
      Await.until(() -> host.isDone() || out().contains("stop it with"));
      assertThat(host.isDone()).as(out()).isFalse();
    }

    String out() {
      return out.toString();
    }

    @Override
    public void close() throws Exception {
      tutti("serve", "--stop");
      assertThat(host.get()).as(out()).isZero();
    }
  }

  /** Serves in another process, which takes orders as {@link SteppedHost} says. */
  Process startProcess() throws IOException {
    return startProcess(List.of(this), List.of());
  }

  /**
   * Serves sites in one process, which is ended when it hangs. It has no second compiler, and so no
   * vectors, which would be slow.
   *
   * @param options of the JVM
   */
  private static Process startProcess(List<CrashSite> sites, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SteppedHost.class.getName());
    sites.forEach(site -> command.add(site.plugins().toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)
        .execute(process::destroyForcibly);
    return process;
  }

  /**
   * A change that will not end.
   *
   * @param step where it stops
   */
  record Stop(CrashSite site, SteppedHost.Occurrence step, Runnable change) {}

  /** Makes changes of sites that one process serves, and kills it when all are at their steps. */
  static void killAt(List<Stop> stops) throws Exception {
    Process process =
        startProcess(stops.stream().map(Stop::site).toList(), List.of("-Dtutti.examination=here"));
    List<Thread> changes =
        stops.stream().map(stop -> Thread.ofPlatform().daemon().unstarted(stop.change())).toList();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        PrintWriter orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true)) {
      for (Stop _ : stops) {
        readUntil(said, "stop it with");
      }
      for (int host = 0; host < stops.size(); host++) {
        orders.println(host + " " + stops.get(host).step());
        readUntil(said, "armed");
      }
      changes.forEach(Thread::start);
      List<String> expected = new ArrayList<>();
      List<String> stopped = new ArrayList<>();
      for (Stop stop : stops) {
        expected.add(SteppedHost.STOPPED + stop.step().step());
        stopped.add(readUntil(said, SteppedHost.STOPPED));
      }
      assertThat(stopped).containsExactlyInAnyOrderElementsOf(expected);
    } finally {
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
    for (Thread each : changes) {
      each.join();
    }
  }

  /** The first line with a text. */
  static String readUntil(BufferedReader said, String what) throws IOException {
    StringBuilder before = new StringBuilder();
    String line = said.readLine();
    while (line != null && !line.contains(what)) {
      before.append(line).append('\n');
      line = said.readLine();
    }
    assertThat(line).as("'%s' after: %s", what, before).isNotNull();
    return line;
  }
}
