package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reaction of a live host to plugins and directories with problems that appear only while it
 * works.
 */
@Timeout(600)
class BadPluginTest {

  private static final String ID = "org.example.pull";

  /** The number of elements from which some samples misbehave; admission does not try so many. */
  private static final int LARGE = 50_000;

  @TempDir private Path directory;
  private Path plugins;
  private Duration planningLimit = Duration.ofSeconds(2);
  private final List<String> news = new CopyOnWriteArrayList<>();
  private Context context;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private PluginManager open(Path from) {
    context =
        Context.builder()
            .watchPlugins(from, directory.resolve("state"))
            .planningLimit(planningLimit)
            .pluginNews(news::add)
            .open();
    return context.pluginManager();
  }

  /** Sums ones on two ranks, and returns the version that planned it. */
  private String run(String algorithm, int count) {
    try (Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = {
        arena.allocate(count, 64).fill((byte) 1), arena.allocate(count, 64)
      };
      MemorySegment[] outputs = {arena.allocate(count, 64), arena.allocate(count, 64)};
      inputs[1].fill((byte) 2);
      try (Request request =
          group
              .request(CollectiveCall.allReduce(DataType.INT8, ReduceOp.SUM, count))
              .algorithm(algorithm)
              .buffers(inputs, outputs)
              .build()) {
        request.run();
        assertThat(outputs[0].toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 3);
        return request.algorithm().version();
      }
    }
  }

  private String run(int count) {
    return run("pull", count);
  }

  // ------------------------------------------------------------------- directories

  private static void makeReadOnly(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r-xr-xr-x"));
  }

  private static boolean isWritable(Path path) {
    try {
      Files.delete(Files.createFile(path.resolve("probe")));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aReadOnlyDirectoryServes() throws IOException {
    PullJar.of(ID, "1.0").write(plugins.resolve("pull.jar"));
    makeReadOnly(plugins);

    open(plugins);

    assertThat(run(8)).isEqualTo("1.0");
  }

  @Test
  void installSaysThatTheDirectoryCannotBeWritten() throws IOException {
    makeReadOnly(plugins);
    // Permissions do not apply to root; nobody can create files in the directories of the kernel.
    List<Path> closed =
        Stream.of(plugins, Path.of("/sys/kernel"))
            .filter(Files::isDirectory)
            .filter(each -> !isWritable(each))
            .toList();
    assumeThat(closed).isNotEmpty();
    PluginManager manager = open(closed.getFirst());
    Path jar = PullJar.of(ID, "1.0").write(directory.resolve("pull.jar"));

    assertThatThrownBy(() -> manager.install(jar))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_UNWRITABLE))
        .hasMessageStartingWith(
            "pull.jar cannot be copied into the plugins directory " + closed.getFirst() + " (")
        .hasMessageEndingWith("it must be a directory that this user may write, with space left");
    assertThat(manager.list()).isEmpty();
    assertThat(manager.rescan()).isEmpty();
  }

  @Test
  void aDirectoryThatIsDeletedAndMadeAnewIsWatchedAgain() throws Exception {
    PullJar.of(ID, "1.0").write(plugins.resolve("pull.jar"));
    open(plugins);
    // Atomic, so that no scan sees the directory without the jar.
    Path gone = Files.move(plugins, directory.resolve("gone"));
    Files.delete(gone.resolve("pull.jar"));
    Files.delete(gone);

    Await.until(() -> news.stream().anyMatch(it -> it.contains("does not exist; create it")));
    assertThat(run(8)).isEqualTo("1.0");
    Files.createDirectory(plugins);
    PullJar.of(ID, "1.1").write(plugins.resolve("pull.jar"));

    Await.until(() -> news.stream().anyMatch(it -> it.contains("1.1 (pull.jar) serves")));
    assertThat(run(8)).isEqualTo("1.1");
  }

  @Test
  void rescanSaysWhichJarsStayQuarantinedAndWhyTellsTheReasonOnce() throws IOException {
    PullJar.of(ID, "1.0").write(plugins.resolve("a.jar"));
    Path bad = PullJar.of(ID, "1.1").without(PullJar.LIBRARY).write(plugins.resolve("b.jar"));
    PluginManager manager = open(plugins);
    assertThat(news).anyMatch(it -> it.contains("1.1 (b.jar) is quarantined: [TUTTI-407] "));

    Files.move(bad, plugins.resolve("c.jar"));

    assertThat(manager.rescan())
        .singleElement()
        .asString()
        .startsWith("org.example.pull 1.1 (c.jar) stays quarantined: [TUTTI-407] ")
        .contains("org.example.pull.Barriers");
    assertThat(manager.why(ID))
        .containsOnlyOnce("is neither in the jar nor in the SPI nor in the JDK")
        .contains("1.1 was quarantined ([TUTTI-407] org.example.pull.Pull cannot be used: ");
  }

  // ----------------------------------------------------------------------- providers

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "private static final int X = Integer.parseInt(\"x\");| TUTTI-404 | NumberFormatException",
        "private Pull() {}| TUTTI-404 | public constructor",
        "public Pull() { throw new IllegalStateException(\"not today\"); }| TUTTI-404 | not today",
      })
  void aProviderThatCannotBeMadeIsQuarantinedAndTheOldOneServes(
      String member, String code, String reason) {
    PullJar.of(ID, "1.0").write(plugins.resolve("a.jar"));
    PluginManager manager = open(plugins);
    PullJar.of(ID, "1.1")
        .replace("private static void check", member + "\n  private static void check")
        .write(plugins.resolve("b.jar"));

    manager.rescan();

    assertThat(version(manager, "1.1").state()).isEqualTo(State.QUARANTINED);
    assertThat(version(manager, "1.1").reason()).startsWith("[" + code + "]").contains(reason);
    assertThat(run(8)).isEqualTo("1.0");
  }

  private static PluginStatus version(PluginManager manager, String version) {
    return manager.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPluginThatAllocatesWithoutBoundIsQuarantined() {
    // A busy machine must not reach the time limit first.
    planningLimit = Duration.ofSeconds(60);
    PluginManager manager = open(plugins);
    // Bounded after all, because nothing but its end would stop the thread.
    PullJar.of(ID, "1.0")
        .check(
            "for (int i = 0; i < 3_000; i++) { java.util.Arrays.fill(new byte[1 << 22], (byte) i); }")
        .write(plugins.resolve("pull.jar"));

    manager.rescan();

    assertThat(version(manager, "1.0").reason()).contains("CAP-4").contains("allocates more than");
    assertThat(context.plugins().algorithms()).isEmpty();
  }

  @Test
  void aPluginThatCallsExitByReflectionWhileItRunsIsStoppedAndTakenBack() {
    PullJar.of(ID, "1.0").write(plugins.resolve("a.jar"));
    PluginManager manager = open(plugins);
    PullJar.of(ID, "1.1")
        .asking("reflection")
        .check(
            """
            if (param.outputBytes() >= %d) {
              try {
                System.class.getMethod("exit", int.class).invoke(null, 3);
              } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            }
            """
                .formatted(LARGE))
        .write(plugins.resolve("b.jar"));
    manager.rescan();
    assertThat(run(8)).isEqualTo("1.1");

    assertThat(run(LARGE)).isEqualTo("1.0");

    assertThat(manager.why(ID))
        .contains("TUTTI-410")
        .contains("java.lang.System.exit is not allowed; no plugin may do that");
  }

  @Test
  void aThreadThatAPluginLeavesBehindIsNamed() throws Exception {
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state"))
            .withUnloadPatience(Duration.ofMillis(1));
    PullJar.of(ID, "1.0")
        .asking("threads")
        .replace(
            "private static void check",
            """
            public Pull() {
                Thread thread = new Thread(Pull::stay, "left behind");
                thread.setDaemon(true);
                thread.start();
              }

              private static void stay() {
                while (!Thread.currentThread().isInterrupted()) {
                  java.util.concurrent.locks.LockSupport.park();
                }
              }

              private static void check""")
        .write(plugins.resolve("pull.jar"));
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      assertThat(live.list()).singleElement().matches(it -> it.state() == State.SERVING);
      live.remove(ID);

      Await.until(
          () -> live.news().stream().anyMatch(it -> it.contains("its classes are still held")));

      assertThat(live.list())
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.state()).isEqualTo(State.LEAKED);
                assertThat(it.reason())
                    .startsWith("thread 'left behind' is in plugin org.example.pull 1.0//");
              });
      assertThat(live.why(ID)).contains("1.0 was not collected (thread 'left behind' is in");
    } finally {
      endLeftThreads();
    }
  }

  private static void endLeftThreads() {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("left behind"))
        .forEach(Thread::interrupt);
  }

  @Test
  void twoPluginsBringTwoVersionsOfOneClass() {
    PullJar.of("org.example.a", "1.0").write(plugins.resolve("a.jar"));
    PullJar.of("org.example.b", "2.0")
        .replace(
            "SubCommInfo comm, Stream stream, int notify",
            "Stream stream, SubCommInfo comm, int notify")
        .replace("pass(comm, stream, ", "meet(stream, comm, ")
        .replace("void pass(", "void meet(")
        .write(plugins.resolve("b.jar"));

    open(plugins);

    assertThat(run("org.example.a:pull", 8)).isEqualTo("1.0");
    assertThat(run("org.example.b:pull", 8)).isEqualTo("2.0");
  }
}
