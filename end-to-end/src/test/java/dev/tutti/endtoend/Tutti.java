package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The {@code tutti} command of the distribution, in a directory, each call a process of its own.
 */
final class Tutti implements AutoCloseable {

  static final Path DISTRIBUTION = Path.of(System.getProperty("tutti.dist"));
  static final Duration PATIENCE = Duration.ofMinutes(10);

  /** What a launched command prints. */
  static final String LAUNCHED = "launched.txt";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path directory;
  private final List<Process> hosts = new ArrayList<>();

  Tutti(Path directory) {
    this.directory = directory;
  }

  /**
   * What a command did.
   *
   * @param code its exit code
   * @param text what it printed, errors included
   */
  record Result(int code, String text) {}

  /** Runs a command to its end. */
  Result run(String... arguments) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process = start(output, arguments);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("%s did not end".formatted(List.of(arguments)));
    }
    return new Result(process.exitValue(), Files.readString(output));
  }

  /** Runs a command that must succeed. */
  String succeed(String... arguments) throws IOException, InterruptedException {
    Result result = run(arguments);
    assertThat(result.code()).as(result.text()).isZero();
    return result.text();
  }

  /**
   * Starts a command that hears all signals, even if this process is in the background, where a
   * shell has SIGINT ignored. It is ended with the hosts.
   */
  Process launch(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("env", "--default-signal"));
    command.addAll(command(arguments));
    Process process = start(directory.resolve(LAUNCHED), command);
    hosts.add(process);
    return process;
  }

  /** Starts a host that prints into {@code host.txt}. */
  void serve(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("serve"));
    all.addAll(List.of(arguments));
    hosts.add(start(log(), all.toArray(String[]::new)));
  }

  /** Waits until a host has printed something, and gives all that it has printed by then. */
  String awaitNews(String text) throws InterruptedException {
    String[] printed = new String[1];
    await(
        "the host says: " + text,
        () -> {
          printed[0] = Files.readString(log());
          return printed[0].contains(text);
        });
    return printed[0];
  }

  private String printed() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path each : List.of(log(), directory.resolve(LAUNCHED))) {
      all.append(Files.exists(each) ? Files.readString(each) : "");
    }
    return all.toString();
  }

  private Path log() {
    return directory.resolve("host.txt");
  }

  /** Waits until the state of the host is as it should be. */
  JsonNode awaitStatus(String what, Predicate<JsonNode> isSo) throws InterruptedException {
    JsonNode[] last = new JsonNode[1];
    await(
        what,
        () -> {
          last[0] = status();
          return isSo.test(last[0]);
        });
    return last[0];
  }

  /**
   * Waits until all processes of the job of a launcher are at work, and gives their numbers.
   *
   * @param news what the launched command prints when it is about to work; asking it before would
   *     cost a JVM each time
   */
  List<Long> awaitRanks(long launcher, int ranks, String news) throws InterruptedException {
    Path said = directory.resolve(LAUNCHED);
    await("the command says: " + news, () -> Files.readString(said).contains(news));
    List<Long> processes = new ArrayList<>();
    await(
        ranks + " ranks of launcher " + launcher,
        () -> {
          processes.clear();
          Result result = run("status", "--job", String.valueOf(launcher), "--json");
          if (result.code() == 0) {
            for (JsonNode each : JSON.readTree(result.text()).get("ranks")) {
              if (each.get("answers").asBoolean() && each.get("isReady").asBoolean()) {
                processes.add(each.get("process").asLong());
              }
            }
          }
          return processes.size() == ranks;
        });
    return processes;
  }

  /** The state of the host. */
  JsonNode status() throws IOException, InterruptedException {
    return JSON.readTree(succeed("status", "--plugins", "plugins", "--json"));
  }

  /** The job of a process. */
  JsonNode job(long process) throws IOException, InterruptedException {
    return JSON.readTree(succeed("status", "--job", String.valueOf(process), "--json"));
  }

  /** Something that is waited for. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /** Waits until something is so. */
  void await(String what, Condition condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() > end) {
          throw new AssertionError(
              "%s: not within %s; what was started printed:%n%s"
                  .formatted(what, PATIENCE, printed()));
        }
        Thread.sleep(100);
      }
    } catch (IOException e) {
      throw new AssertionError(what, e);
    }
  }

  private Process start(Path output, String... arguments) throws IOException {
    return start(output, command(arguments));
  }

  /** A command with its JVM. */
  static List<String> command(String... arguments) throws IOException {
    // The JVM takes no kept classes with fewer modules.
    List<String> options = arguments[0].equals("serve") ? Script.limits() : LoadedClasses.options();
    List<String> command = java(options.toArray(String[]::new));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Makes a directory with some plugins of the distribution, because a process loads all that it is
   * given.
   */
  static Path few(Path parent, String... plugins) throws IOException {
    Path few = Files.createDirectory(parent.resolve("few"));
    for (String plugin : plugins) {
      Path jar = jar(plugin);
      Files.copy(jar, few.resolve(jar.getFileName()));
    }
    return few;
  }

  /** The jar of a plugin of the distribution. */
  static Path jar(String plugin) {
    return DISTRIBUTION.resolve("plugins", "tutti-plugin-" + plugin + ".jar");
  }

  /** The command without its arguments, with options of the JVM. */
  static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-p", DISTRIBUTION.resolve("lib").toString()));
    command.add("--enable-native-access=dev.tutti.engine");
    command.addAll(List.of("-m", "dev.tutti.cli/dev.tutti.cli.Main"));
    return command;
  }

  private Process start(Path output, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** Ends the hosts. */
  @Override
  public void close() {
    hosts.forEach(Process::destroyForcibly);
  }
}
