package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.host.Await;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plugins that leave something behind: each is reported with its cause, and does not affect others.
 */
@Timeout(600)
class LeakTest {

  private static final String ID = "org.example.pull";
  private static final String OTHER = "org.example.other";
  private static final String MEMBER = "private static void check";

  @TempDir private Path directory;
  private Path plugins;
  private LivePlugins live;

  @BeforeEach
  void serveAnotherPlugin() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    PullJar.of(OTHER, "1.0").write(plugins.resolve("other.jar"));
    live =
        LivePlugins.open(
            LiveSettings.of(plugins, directory.resolve("state"))
                .withUnloadPatience(Duration.ofMillis(1)),
            List.of());
  }

  @AfterEach
  void close() {
    assertThat(status(OTHER).state()).isEqualTo(State.SERVING);
    live.close();
  }

  private PluginStatus status(String id) {
    return live.list().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
  }

  private void serve(PullJar jar) {
    jar.write(plugins.resolve("pull.jar"));
    live.rescan();
    assertThat(status(ID).state()).as(status(ID).reason()).isEqualTo(State.SERVING);
  }

  private CollExecutorBase<?> executor() {
    return live.catalogues().current().plugins().algorithms().stream()
        .filter(each -> each.plugin().equals(ID))
        .findFirst()
        .orElseThrow()
        .executor();
  }

  /** Removes the plugin, and waits for the report of its leak. */
  private String leak() {
    live.remove(ID);
    Await.until(
        () -> live.news().stream().anyMatch(it -> it.contains("its classes are still held")));
    assertThat(status(ID).state()).isEqualTo(State.LEAKED);
    String reason = status(ID).reason();
    assertThat(live.why(ID)).contains("1.0 was not collected (" + reason);
    return reason;
  }

  /** When what held the plugin is gone, so is the plugin. */
  private void assertThatItIsUnloaded() {
    Await.collection(() -> live.uncollected() == 0);
    assertThat(live.news()).contains(ID + " 1.0 is unloaded");
  }

  @Test
  void aValueOfAThreadLocalOnAThreadOfAPoolIsSuspected() throws Exception {
    serve(
        PullJar.of(ID, "1.0")
            .asking("threads")
            .asking("mutable-statics")
            .replace(
                MEMBER,
                """
                private static final ThreadLocal<Pull[]> LAST = new ThreadLocal<>();

                  @Override
                  public Determinism determinism() {
                    LAST.set(new Pull[1]);
                    return super.determinism();
                  }

                  private static void check"""));
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      pool.submit(() -> executor().determinism()).get();

      assertThat(leak())
          .startsWith(
              "no thread is in it, so most likely something that it uses holds it: thread-locals");
    }
    assertThatItIsUnloaded();
  }

  @Test
  void anIdleThreadOfAnExecutorIsSuspected() throws Exception {
    serve(
        PullJar.of(ID, "1.0")
            .asking("threads")
            .replace(
                MEMBER,
                """
                private final java.util.concurrent.ExecutorService pool =
                      java.util.concurrent.Executors.newSingleThreadExecutor(
                          task -> {
                            Thread thread = new Thread(task, "left idle");
                            thread.setDaemon(true);
                            return thread;
                          });

                  public Pull() {
                    pool.execute(() -> {});
                  }

                  private static void check"""));
    try {
      assertThat(leak()).contains("executors, whose idle threads show none of its classes");
    } finally {
      endThreads("left idle");
    }
  }

  @Test
  void anExceptionThatACallerKeepsIsSuspected() throws Exception {
    serve(
        PullJar.of(ID, "1.0")
            .replace(
                MEMBER,
                """
                @Override
                  public Support supports(AllReduceParam param) {
                    java.util.Objects.requireNonNull(param, "no request");
                    return accepts(param);
                  }

                  private static void check""")
            .replace(
                "@Override\n  public Support supports(AllReduceParam param) {\n    return param.comm",
                "private Support accepts(AllReduceParam param) {\n    return param.comm"));
    Throwable kept = catchThrowable(() -> executor().supports(null));
    assertThat(kept).hasMessage("no request");

    assertThat(leak())
        .startsWith("no thread is in it, so an object is kept: an exception that it threw");

    assertThat(kept).hasMessage("no request");
    kept = null;
    assertThatItIsUnloaded();
  }

  @Test
  void aShutdownHookIsRefusedBeforeItCanLeak() {
    PullJar.of(ID, "1.0")
        .asking("threads\", \"environment")
        .check("Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));")
        .write(plugins.resolve("pull.jar"));

    live.rescan();

    assertThat(status(ID).state()).isEqualTo(State.QUARANTINED);
    assertThat(status(ID).reason())
        .startsWith("[TUTTI-407]")
        .contains("java.lang.Runtime.addShutdownHook");
    assertThat(live.why(ID)).contains("java.lang.Runtime.addShutdownHook");
  }

  @Test
  void aShutdownHookByReflectionIsRefusedToo() {
    PullJar.of(ID, "1.0")
        .asking("reflection\", \"environment")
        .check(
            """
            try {
              Runtime.class
                  .getMethod("addShutdownHook", Thread.class)
                  .invoke(Runtime.getRuntime(), (Object) null);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
            """)
        .write(plugins.resolve("pull.jar"));

    live.rescan();

    assertThat(status(ID).state()).isEqualTo(State.QUARANTINED);
    assertThat(status(ID).reason())
        .startsWith("[TUTTI-409]")
        .contains("java.lang.Runtime.addShutdownHook is not allowed");
  }

  private static void endThreads(String name) {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .forEach(Thread::interrupt);
  }
}
