package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a jar does during its examination, it affects only a separate process. */
@Timeout(600)
class IsolatedExaminationTest {

  private static final String CHECK = "private static void check";

  @TempDir private Path directory;
  private Path plugins;
  private final List<String> news = new CopyOnWriteArrayList<>();
  private LivePlugins live;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  @AfterEach
  void close() {
    if (live != null) {
      live.close();
    }
  }

  private void open() {
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state"))
            .withIsolation(true)
            .withExaminationLimit(Duration.ofSeconds(10))
            .withPlanningLimit(Duration.ofSeconds(2))
            .withNews(news::add);
    live = LivePlugins.open(settings, List.of());
  }

  private void write(String name, PullJar jar) {
    jar.write(plugins.resolve(name + ".jar"));
  }

  private static PullJar pull(String name) {
    return PullJar.of("org.example." + name, "1.0");
  }

  private PluginStatus status(String name) {
    return live.list().stream()
        .filter(each -> each.id().equals("org.example." + name))
        .findFirst()
        .orElseThrow();
  }

  private String reasonOf(String name) {
    PluginStatus status = status(name);
    assertThat(status.state()).as(name).isEqualTo(State.QUARANTINED);
    return status.reason();
  }

  @Test
  void whateverJarsDoTheyAreQuarantinedByNameAndTheGoodOneServes() {
    write("good", pull("good"));
    write(
        "hog",
        pull("hog")
            .check(
                """
                try {
                  for (var all = new java.util.ArrayList<Object>(); ; ) {
                    all.add(new long[1 << 18]);
                  }
                } catch (OutOfMemoryError e) {
                  return;
                }
                """));
    write("loop", pull("loop").check("while (true) { Thread.onSpinWait(); }"));
    write(
        "message",
        pull("message")
            .replace(
                CHECK,
                """
                public Pull() {
                  throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                      while (true) { Thread.onSpinWait(); }
                    }
                  };
                }
                private static void check"""));
    write(
        "initialiser",
        pull("initialiser")
            .replace(
                CHECK, "static { for (int i = 1; i != 0; ) { Thread.onSpinWait(); } }\n" + CHECK));
    write("deep", pull("deep").check("check(param);"));
    write(
        "exit",
        pull("exit")
            .asking("reflection")
            .check(
                """
                try {
                  Class<?> type = Class.forName("java.lang.Shutdown");
                  Runtime.class.getMethod("halt", int.class).invoke(Runtime.getRuntime(), 3 + 4);
                } catch (ReflectiveOperationException e) {
                  throw new IllegalStateException(e);
                }
                """));

    write(
        "forger",
        pull("forger")
            .asking("files")
            .check(
                """
                try {
                  var out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
                  for (int i = 0; i < 1000; i++) {
                    out.write("admitted 1\\n".repeat(1000).getBytes());
                  }
                } catch (java.io.IOException e) {
                  throw new IllegalStateException(e);
                }
                """));

    open();

    assertThat(status("good").state()).isEqualTo(State.SERVING);
    assertThat(reasonOf("hog")).containsPattern("fill(s|ed) the heap");
    assertThat(reasonOf("loop")).contains("CAP-3");
    assertThat(reasonOf("message")).isNotEmpty();
    assertThat(reasonOf("initialiser")).contains("org.example.pull.Pull");
    assertThat(reasonOf("forger")).contains("was written to the stream of answers");
    assertThat(reasonOf("deep")).contains("StackOverflowError");
    assertThat(reasonOf("exit")).isNotEmpty();
  }

  @Test
  void aPlanThatDependsOnTheProcessIsQuarantinedWithTheActionThatDiffers() {
    write(
        "salted",
        pull("salted")
            .replace(
                "for (int rank = 0; rank < comm.localRankSize(); rank++) {",
                """
                boolean isUp = java.util.Set.of("up", "down").iterator().next().equals("up");
                for (int step = 0; step < comm.localRankSize(); step++) {
                  int rank = isUp ? step : comm.localRankSize() - 1 - step;
                """));

    open();

    assertThat(reasonOf("salted"))
        .contains("PUR-1 not a pure function: rank 0 plans differently in another process");
  }
}
