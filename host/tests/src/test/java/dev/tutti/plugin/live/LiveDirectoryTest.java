package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.plan.work.Work;
import dev.tutti.plan.work.WorkListener;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The possible contents of a live host's plugins directory. */
class LiveDirectoryTest {

  @TempDir private Path directory;
  private Path plugins;
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

  private PluginManager open() {
    return open(plugins);
  }

  private PluginManager open(Path from) {
    context =
        Context.builder()
            .watchPlugins(from, directory.resolve("state"))
            .planningLimit(Duration.ofSeconds(20))
            .pluginNews(news::add)
            .open();
    return context.pluginManager();
  }

  @Test
  void aMissingDirectoryIsRefused() {
    assertThatThrownBy(() -> open(directory.resolve("nowhere")))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE))
        .hasMessageContaining("nowhere does not exist; create it");
    assertThatThrownBy(() -> open(Files.createFile(directory.resolve("file"))))
        .hasMessageEndingWith("is not a directory; name the one that holds the plugins");
    assertThat(news).as("the error says it all").isEmpty();
  }

  @Test
  void aJarThatIsNotThereIsNamed() {
    PluginManager manager = open(plugins);
    Path none = directory.resolve("none.jar");

    assertThatThrownBy(() -> manager.install(none))
        .isInstanceOfSatisfying(
            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PLUGIN_UNREADABLE))
        .hasMessageEndingWith(none + " does not exist; name the jar of a plugin");
  }

  @Test
  void aLinkToADirectoryIsAsGood() throws IOException {
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    Path link = Files.createSymbolicLink(directory.resolve("link"), plugins);

    open(link);

    assertThat(context.plugins().algorithms()).hasSize(1);
  }

  @Test
  void theProgressOfTheExaminationIsTold() {
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    LiveJars.plugin("org.example.second", "1.0.0", LiveSamples.Right.class)
        .write(plugins.resolve("second.jar"));
    List<String> told = new CopyOnWriteArrayList<>();
    WorkListener listener =
        new WorkListener() {
          @Override
          public void at(double share, String what) {
            told.add(Math.round(100 * share) + "% " + what);
          }

          @Override
          public void ended() {
            told.add("ended");
          }
        };

    try (Work _ = Work.watch(listener)) {
      open();
    }

    assertThat(told).contains("0% examining plugins", "50% examining plugins", "ended");
  }

  @Test
  void namesInAnyScriptAreFine() throws IOException {
    LiveJars.jar(plugins.resolve("環 plugin é🙂.jar"), "1.0.0", LiveSamples.Right.class);

    PluginManager manager = open();

    assertThat(manager.list()).singleElement().matches(it -> it.state() == State.SERVING);
    assertThat(manager.why("環 plugin é🙂.jar")).contains("serves");
    assertThat(manager.remove(LiveJars.ID)).anyMatch(it -> it.contains("環 plugin é🙂.jar"));
    assertThat(plugins).isEmptyDirectory();
  }

  @Test
  void everyBadJarIsNamedAndTheGoodOneServes() throws IOException {
    LiveJars.jar(plugins.resolve("good.jar"), "1.0.0", LiveSamples.Right.class);
    Files.writeString(plugins.resolve("text.jar"), "no zip");
    byte[] whole = Files.readAllBytes(plugins.resolve("good.jar"));
    Files.write(plugins.resolve("half.jar"), java.util.Arrays.copyOf(whole, whole.length / 2));
    Files.createFile(plugins.resolve("empty.jar"));
    Files.createDirectory(plugins.resolve("directory.jar"));
    LiveJars.plugin("org.example.future", "1.0.0", LiveSamples.Right.class)
        .sdk("[7.0,8.0)")
        .write(plugins.resolve("future.jar"));
    LiveJars.plugin("org.example.json", "1.0.0", LiveSamples.Right.class)
        .entry("META-INF/tutti/plugin.json", "{\"id\": 7")
        .write(plugins.resolve("json.jar"));
    for (String each : List.of("text", "half", "empty", "future", "json")) {
      age(plugins.resolve(each + ".jar"));
    }

    PluginManager manager = open();

    assertThat(context.plugins().algorithms()).hasSize(1);
    assertThat(manager.list())
        .filteredOn(it -> it.state() == State.QUARANTINED)
        .extracting(it -> it.file().getFileName().toString())
        .containsExactlyInAnyOrder(
            "text.jar", "half.jar", "empty.jar", "directory.jar", "future.jar", "json.jar");
    assertThat(manager.why("directory.jar")).contains("it is a directory, not a jar");
    assertThat(manager.why("json.jar")).contains("not valid JSON");
    assertThat(manager.why("org.example.future")).contains("needs sdk-api [7.0,8.0)");
    assertThat(context.plugins().problems())
        .extracting(PluginProblem::code)
        .containsExactlyInAnyOrder(
            ErrorCode.PLUGIN_UNREADABLE,
            ErrorCode.PLUGIN_UNREADABLE,
            ErrorCode.PLUGIN_UNREADABLE,
            ErrorCode.PLUGIN_UNREADABLE,
            ErrorCode.PLUGIN_MANIFEST,
            ErrorCode.PLUGIN_SPI_VERSION);
  }

  @Test
  void aLinkToItselfDoesNotHideTheOthers() throws IOException {
    Path good = plugins.resolve("good.jar");
    LiveJars.jar(good, "1.0.0", LiveSamples.Right.class);
    Path loop = plugins.resolve("loop.jar");
    Files.createSymbolicLink(loop, loop);

    PluginManager manager = open();

    assertThat(context.plugins().algorithms()).hasSize(1);
    assertThat(context.plugins().problems())
        .singleElement()
        .matches(it -> it.jar().equals(loop) && it.code() == ErrorCode.PLUGIN_UNREADABLE);
    Files.delete(good);
    Files.createSymbolicLink(good, good);
    manager.rescan();
    assertThat(context.plugins().algorithms()).hasSize(1);
    Files.delete(good);
    manager.rescan();
    assertThat(context.plugins().algorithms()).isEmpty();
  }

  @Test
  void aLinkThatLeadsNowhereIsToldOnceAndServesWhenItsJarComes() throws IOException {
    Path target = directory.resolve("later");
    Files.createSymbolicLink(plugins.resolve("link.jar"), target);
    List<String> told = new CopyOnWriteArrayList<>();
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state")).withNews(told::add);
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      Path other = plugins.resolve("other.jar");
      Files.writeString(other, "no zip");
      Files.setLastModifiedTime(other, FileTime.fromMillis(1_000));
      Await.until(() -> told.stream().anyMatch(each -> each.startsWith("other.jar")));
      assertThat(told)
          .filteredOn(each -> each.contains("link.jar"))
          .singleElement()
          .asString()
          .startsWith("link.jar is not admitted: [TUTTI-")
          .contains("is a symbolic link to a file that does not exist; put the jar there");
      LiveJars.jar(target, "1.0.0", LiveSamples.Right.class);
      Await.until(() -> !live.catalogues().current().plugins().plugins().isEmpty());
      assertThat(served(live)).isEqualTo("1.0.0");
    }
  }

  @Test
  void aListenerThatThrowsEndsNothing() {
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    AtomicInteger told = new AtomicInteger();
    Consumer<String> listener =
        sentence -> {
          told.incrementAndGet();
          throw new AssertionError(sentence);
        };
    LiveSettings settings = LiveSettings.of(plugins, directory.resolve("state")).withNews(listener);
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      assertThat(served(live)).isEqualTo("1.0.0");
      LiveJars.jar(plugins.resolve("pull.jar"), "1.1.0", LiveSamples.Right.class);
      live.rescan();
      assertThat(served(live)).isEqualTo("1.1.0");
      LiveJars.jar(plugins.resolve("pull.jar"), "1.2.0", LiveSamples.Right.class);
      Await.until(() -> served(live).equals("1.2.0"));
    }
    assertThat(told).hasPositiveValue();
  }

  /** Makes a file old, so that an unreadable one does not count as still being copied. */
  private static void age(Path file) throws IOException {
    Files.setLastModifiedTime(
        file, java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() - 60_000));
  }

  @Test
  void twoPluginsMayOfferOneNameAndTheCallerMustSayWhich() {
    LiveJars.plugin("org.example.a", "1.0.0", LiveSamples.Right.class)
        .write(plugins.resolve("a.jar"));
    LiveJars.plugin("org.example.b", "1.0.0", LiveSamples.Right.class)
        .write(plugins.resolve("b.jar"));

    open();

    assertThat(context.plugins().problems())
        .singleElement()
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.PLUGIN_DUPLICATE));
    assertThatThrownBy(() -> context.planPool().find(Operation.ALL_REDUCE, "pull"))
        .hasMessageContaining("org.example.a:pull or org.example.b:pull");
    assertThat(context.planPool().find(Operation.ALL_REDUCE, "org.example.b:pull").plugin())
        .isEqualTo("org.example.b");
  }

  @Test
  void manyJarsAtOnceAllServe() throws IOException {
    PluginManager manager = open();
    int jars = 50;
    for (int i = 0; i < jars; i++) {
      LiveJars.plugin("org.example.p" + i, "1.0." + i, LiveSamples.Right.class)
          .write(plugins.resolve("p" + i + ".jar"));
    }

    manager.rescan();

    assertThat(manager.list()).hasSize(jars).allMatch(it -> it.state() == State.SERVING);
    assertThat(context.plugins().algorithms()).hasSize(jars);
  }

  @Test
  void aDiskThatIsFullWhileAJarIsStagedChangesNothing() {
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    AtomicBoolean isFull = new AtomicBoolean();
    Steps steps =
        step -> {
          if (isFull.get() && step == Step.COPY_WRITING) {
            throw new IOException("No space left on device");
          }
        };
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state")).withNews(news::add).withSteps(steps);
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      isFull.set(true);
      LiveJars.jar(plugins.resolve("pull.jar"), "1.1.0", LiveSamples.Right.class);
      live.rescan();

      assertThat(served(live)).isEqualTo("1.0.0");
      assertThat(news).anyMatch(it -> it.contains("MiB left: make room)"));
      assertThat(directory.resolve("state").resolve("store").toFile().list()).hasSize(1);

      isFull.set(false);
      live.rescan();

      assertThat(served(live)).isEqualTo("1.1.0");
    }
  }

  @Test
  void aLookWithoutMemoryIsNotTheLast() {
    AtomicBoolean isFull = new AtomicBoolean();
    Steps steps =
        step -> {
          if (step == Step.COPY_WRITING && isFull.getAndSet(false)) {
            throw new OutOfMemoryError("for the test");
          }
        };
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", LiveSamples.Right.class);
    LiveSettings settings =
        LiveSettings.of(plugins, directory.resolve("state")).withNews(news::add).withSteps(steps);
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      isFull.set(true);
      LiveJars.jar(plugins.resolve("pull.jar"), "1.1.0", LiveSamples.Right.class);
      Await.until(() -> served(live).equals("1.1.0"));
    }
    assertThat(news).anyMatch(it -> it.contains("OutOfMemoryError: for the test"));
  }

  private static String served(LivePlugins live) {
    return live.catalogues().current().plugins().plugins().getFirst().version();
  }

  @Test
  void overwritingAJarInPlaceDoesNotHurtWhatServes() throws IOException {
    Path jar = plugins.resolve("pull.jar");
    LiveJars.jar(jar, "1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();

    Files.writeString(jar, "overwritten");
    age(jar);
    manager.rescan();

    PluginStatus status = manager.list().getLast();
    assertThat(status.version()).isEqualTo("1.0.0");
    assertThat(status.state()).isEqualTo(State.SERVING);
    assertThat(status.reason()).contains("still serves from the store");
    Files.delete(jar);
    manager.rescan();
    assertThat(context.plugins().algorithms()).isEmpty();
  }

  @Test
  void contentOfTheSameSizeAndTimeIsSeen() throws IOException {
    Path jar = plugins.resolve("pull.jar");
    LiveJars.jar(jar, "1.0.0", LiveSamples.Right.class);
    age(jar);
    FileTime time = Files.getLastModifiedTime(jar);
    PluginManager manager = open();

    Files.write(jar, new byte[(int) Files.size(jar)]);
    Files.setLastModifiedTime(jar, time);
    manager.rescan();

    assertThat(manager.list().getLast().reason()).contains("still serves from the store");
  }

  @Test
  void aBadJarOfATimeToComeIsRefused() throws IOException {
    open();

    Path jar = Files.writeString(plugins.resolve("bad.jar"), "no zip");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plus(Duration.ofDays(30))));

    Await.until(() -> news.stream().anyMatch(it -> it.startsWith("bad.jar is refused")));
  }
}
