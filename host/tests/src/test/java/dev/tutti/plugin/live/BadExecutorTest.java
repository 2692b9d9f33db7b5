package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Await;
import dev.tutti.plugin.PluginJars;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reaction of a host to executors whose methods throw, loop, or use all memory. */
@Timeout(600)
class BadExecutorTest {

  private static final String LOOP = "while (true) { }";
  private static final String STUBBORN =
      "while (true) { try { while (true) { } } catch (Throwable t) { } finally { } }";
  private static final String HOG =
      "while (true) { try { new java.util.ArrayList<long[]>().add(new long[Integer.MAX_VALUE]); }"
          + " catch (Throwable t) { } }";

  private static final String OVER_TIME = "did not finish in 500 ms of processor time";
  private static final String OVER_MEMORY = "used up the memory, and caught the OutOfMemoryError";

  private static final String DETERMINISM =
      "@Override public dev.tutti.sdk.Determinism determinism() { %s }";
  private static final String PARAMETERS =
      "@Override public java.util.List<dev.tutti.sdk.AlgParameter<?>> parameters() { %s }";
  private static final String SUPPORTS =
      "@Override public dev.tutti.sdk.Support supports(dev.tutti.sdk.param.AllReduceParam p) { %s }";
  private static final String COST =
      "@Override public java.util.Optional<dev.tutti.sdk.Cost> cost("
          + "dev.tutti.sdk.param.AllReduceParam p) { %s }";
  private static final String GROUP_COST =
      "@Override public java.util.Optional<dev.tutti.sdk.Cost> groupCost("
          + "java.util.List<dev.tutti.sdk.param.AllReduceParam> p) { %s }";

  /** Throwables whose methods are as bad. */
  private static final String THROWABLES =
      """
      static final class Endless extends RuntimeException {
        @Override public String getMessage() { while (true) { } }
      }
      static final class Huge extends Error {
        @Override public String getMessage() { return "x".repeat(1_000_000); }
        @Override public Throwable getCause() { return new Huge(); }
        @Override public StackTraceElement[] getStackTrace() { return null; }
      }
      static final class Mute extends RuntimeException {
        @Override public String getMessage() { throw new Error(); }
        @Override public String toString() { throw new Error(); }
        @Override public Throwable getCause() { throw new Error(); }
      }
      """;

  @TempDir private Path directory;

  private final Map<String, String> expected = new LinkedHashMap<>();
  private final Map<String, PluginJars> jars = new LinkedHashMap<>();

  /** Checks the refusal of a plugin whose executor has some members. */
  private void bad(String what, String members, String reason) {
    String type = "Bad" + jars.size();
    String all = members.replace("CLASS", type) + THROWABLES;
    jars.put(
        what,
        PluginJars.plugin("bad." + type.toLowerCase(Locale.ROOT))
            .provider(type, PluginJars.allReduceSource(type, "bad", all)));
    expected.put(what, reason);
  }

  private void bad(String what, String method, String body, String reason) {
    bad(what, method.formatted(body), reason);
  }

  private void fillIn() {
    bad("constructor throws", "public CLASS() { throw new Error(\"no\"); }", "Error: no");
    bad("constructor loops", "public CLASS() { " + LOOP + " }", OVER_TIME);
    bad("constructor loops on", "public CLASS() { " + STUBBORN + " }", OVER_TIME);
    bad("constructor hogs", "public CLASS() { " + HOG + " }", OVER_MEMORY);
    bad("endless message", "public CLASS() { throw new Endless(); }", OVER_TIME);
    bad("huge message", "public CLASS() { throw new Huge(); }", "1,000,000 characters in all");
    bad("no message", "public CLASS() { throw new Mute(); }", "(its message cannot be read)");
    bad("initialiser throws", "static { if (true) throw new Error(\"no\"); }", "Error: no");
    bad("initialiser loops", "static { if (true) " + LOOP + " }", OVER_TIME);
    bad("determinism throws", DETERMINISM, "throw new Error(\"no\");", "Error: no");
    bad("determinism loops", DETERMINISM, STUBBORN, OVER_TIME);
    bad("determinism is null", DETERMINISM, "return null;", "NullPointerException: determinism");
    bad("parameters hog", PARAMETERS, HOG, OVER_MEMORY);
    bad("parameters are null", PARAMETERS, "return null;", "NullPointerException");
    bad(
        "parameters without end",
        PARAMETERS,
        "return java.util.Collections.nCopies(Integer.MAX_VALUE,"
            + " dev.tutti.sdk.AlgParameter.integer(\"a\", \"b\", 1, 1, 1));",
        "an algorithm may have 64 parameters");
    bad("supports throws", SUPPORTS, "throw new Huge();", "characters in all");
    bad("supports loops", SUPPORTS, STUBBORN, "CAP-3");
    bad("supports is null", SUPPORTS, "return null;", "supports of rank 0 returned null");
    bad("supports hogs", SUPPORTS, HOG, "CAP-4");
    bad("cost throws", COST, "throw new Error(\"no\");", "Error: no");
    bad("cost throws what cannot be read", COST, "throw new Mute();", "cannot be read");
    bad("cost loops", COST, STUBBORN, "CAP-3");
    bad("cost is null", COST, "return null;", "cost, which must not be null");
    bad("cost of the group loops", GROUP_COST, LOOP, "CAP-3");
    bad("a finalizer", "protected void finalize() { }", "finalize is a finalizer");
  }

  @Test
  void eachIsQuarantinedWithItsNameWhileOthersServeAndQuestionsAreAnswered() throws Exception {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state"))
            .withPlanningLimit(Duration.ofMillis(500));
    fillIn();
    PluginJars.compileTogether(jars.values());
    PullJar.of("org.example.pull", "1.0").write(plugins.resolve("good.jar"));
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      assertThat(live.list()).singleElement().matches(it -> it.state() == State.SERVING);
      write(plugins);

      FutureTask<List<String>> rescan = new FutureTask<>(live::rescan);
      Thread asking = Thread.ofPlatform().daemon().start(rescan);
      boolean isAnswered = false;
      while (!rescan.isDone() && !isAnswered) {
        isAnswered =
            live.list().stream().anyMatch(it -> it.reason().equals("it is being examined"));
      }
      assertThat(isAnswered).as("list is answered while jars are examined").isTrue();
      rescan.get();
      asking.join();

      Map<String, PluginStatus> byFile =
          live.list().stream()
              .collect(Collectors.toMap(it -> it.file().getFileName().toString(), it -> it));
      assertThat(byFile.remove("good.jar").state()).isEqualTo(State.SERVING);
      assertThat(byFile).hasSameSizeAs(jars);
      expected.forEach(
          (what, reason) ->
              assertThat(byFile.get(what + ".jar"))
                  .as(what)
                  .matches(it -> it.state() == State.QUARANTINED)
                  .extracting(PluginStatus::reason)
                  .asString()
                  .contains(reason)
                  .hasSizeLessThan(100_000));
    }
    // A jar that is known to be bad is not tried again, and the host starts.
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      assertThat(live.list()).filteredOn(it -> it.state() == State.SERVING).hasSize(1);
    }
  }

  @Test
  void aHostEndsWhileAJarIsExaminedAndTheNextOneExaminesItAnew() throws IOException {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    LiveSettings settings = LiveSettings.of(plugins, directory.resolve("state"));
    bad("loops", "public CLASS() { " + STUBBORN + " }", OVER_TIME);

    try (LivePlugins live =
        LivePlugins.open(settings.withPlanningLimit(Duration.ofHours(1)), List.of())) {
      write(plugins);
      Await.until(
          () -> live.list().stream().anyMatch(it -> it.reason().equals("it is being examined")));
    }

    try (LivePlugins live =
        LivePlugins.open(settings.withPlanningLimit(Duration.ofMillis(500)), List.of())) {
      assertThat(live.list())
          .singleElement()
          .matches(it -> it.state() == State.QUARANTINED)
          .extracting(PluginStatus::reason)
          .asString()
          .contains(OVER_TIME);
    }
  }

  private void write(Path plugins) throws IOException {
    Path staged = Files.createDirectory(directory.resolve("staged"));
    jars.forEach((what, jar) -> jar.write(staged, what + ".jar"));
    for (String what : jars.keySet()) {
      Files.move(staged.resolve(what + ".jar"), plugins.resolve(what + ".jar"));
    }
  }
}
