package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.ManualClock;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SteppedContexts;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.store.Step;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivePluginsTest {

  private static final int LARGE = 50_000;

  @TempDir private Path directory;
  private Path plugins;
  private Path state;
  private final List<String> news = new CopyOnWriteArrayList<>();
  private Context context;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    state = directory.resolve("state");
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private PluginManager open() {
    context =
        Context.builder()
            .watchPlugins(plugins, state)
            .planningLimit(Duration.ofSeconds(2))
            .pluginNews(news::add)
            .open();
    return context.pluginManager();
  }

  private Path drop(String version, Class<?> provider) {
    return LiveJars.jar(plugins.resolve("pull.jar"), version, provider);
  }

  /** Runs an all-reduce of ones, checks it, and returns the version that planned it. */
  private String run(int ranks, int count) {
    try (Group group = context.createGroup(ranks);
        Arena arena = Arena.ofShared()) {
      return run(group, arena, count);
    }
  }

  private static String run(Group group, Arena arena, int count) {
    MemorySegment[] inputs = new MemorySegment[group.rankSize()];
    MemorySegment[] outputs = new MemorySegment[group.rankSize()];
    for (int rank = 0; rank < inputs.length; rank++) {
      inputs[rank] = arena.allocate(4L * count, 64);
      outputs[rank] = arena.allocate(4L * count, 64);
      for (int i = 0; i < count; i++) {
        inputs[rank].setAtIndex(ValueLayout.JAVA_INT, i, i + rank);
      }
    }
    try (Request request =
        group
            .request(CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, count))
            .buffers(inputs, outputs)
            .build()) {
      request.run();
      int ranks = inputs.length;
      for (MemorySegment output : outputs) {
        for (int i = 0; i < count; i++) {
          assertThat(output.getAtIndex(ValueLayout.JAVA_INT, i))
              .isEqualTo(ranks * i + ranks * (ranks - 1) / 2);
        }
      }
      return request.algorithm().version();
    }
  }

  private static PluginStatus status(PluginManager manager, String version) {
    return manager.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatLiesInTheDirectoryServesFromTheStart() {
    drop("1.0.0", LiveSamples.Right.class);

    PluginManager manager = open();

    assertThat(run(3, 10)).isEqualTo("1.0.0");
    assertThat(manager.list())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.state()).isEqualTo(State.SERVING);
              assertThat(it.algorithms()).containsExactly("allreduce/pull");
              assertThat(it.plans()).isEqualTo(1);
              assertThat(it.runs()).isEqualTo(1);
            });
  }

  @Test
  void aJarThatIsDroppedServesWithoutBeingAskedFor() throws Exception {
    open();

    drop("1.0.0", LiveSamples.Right.class);

    Await.until(() -> !context.plugins().algorithms().isEmpty());
    assertThat(run(2, 10)).isEqualTo("1.0.0");
  }

  @Test
  void aNewVersionTakesOverAndTheOldOneStaysForARollback() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    run(2, 10);

    drop("1.1.0", LiveSamples.Right.class);
    manager.rescan();

    assertThat(run(2, 10)).isEqualTo("1.1.0");
    drained();
    assertThat(status(manager, "1.0.0").state()).isEqualTo(State.PREVIOUS);
    PluginStatus back = manager.rollback(LiveJars.ID);
    assertThat(back.version()).isEqualTo("1.0.0");
    assertThat(run(2, 10)).isEqualTo("1.0.0");
    drained();
    assertThat(status(manager, "1.1.0").state()).isIn(State.ROLLED_BACK, State.UNLOADING);
    assertThat(manager.rescan()).noneMatch(it -> it.contains("serves"));
    assertThat(run(2, 10)).isEqualTo("1.0.0");
  }

  @Test
  void aRequestThatLivesOnTakesThePlanOfTheNewVersion() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    try (Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = {arena.allocate(40, 64), arena.allocate(40, 64)};
      MemorySegment[] outputs = {arena.allocate(40, 64), arena.allocate(40, 64)};
      inputs[0].fill((byte) 1);
      inputs[1].fill((byte) 2);
      try (Request request =
          group
              .request(CollectiveCall.allReduce(DataType.INT8, ReduceOp.SUM, 40))
              .buffers(inputs, outputs)
              .build()) {
        request.run();
        assertThat(request.algorithm().version()).isEqualTo("1.0.0");

        drop("2.0.0", LiveSamples.Right.class);
        manager.rescan();
        request.run();

        assertThat(request.algorithm().version()).isEqualTo("2.0.0");
        assertThat(outputs[0].toArray(ValueLayout.JAVA_BYTE)).containsOnly((byte) 3);
        assertThat(status(manager, "2.0.0").plans()).isEqualTo(1);

        manager.remove(LiveJars.ID);
        assertThatThrownBy(request::run)
            .isInstanceOf(TuttiException.class)
            .hasMessageContaining("no algorithm");
        drop("3.0.0", LiveSamples.Right.class);
        manager.rescan();
        request.run();
        assertThat(request.algorithm().version()).isEqualTo("3.0.0");
      }
    }
  }

  @Test
  void aWrongVersionIsQuarantinedAndTheOldOneServesOn() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();

    drop("2.0.0", LiveSamples.Wrong.class);
    manager.rescan();

    assertThat(run(3, 10)).isEqualTo("1.0.0");
    PluginStatus wrong = status(manager, "2.0.0");
    assertThat(wrong.state()).isEqualTo(State.QUARANTINED);
    assertThat(wrong.reason()).contains("TUTTI-409").contains("SEM-");
    assertThat(manager.why(LiveJars.ID))
        .contains("1.0.0 (pull.jar")
        .contains("still serves from the store")
        .contains("2.0.0");
    assertThat(context.plugins().problems())
        .singleElement()
        .satisfies(it -> assertThat(it.code()).isEqualTo(ErrorCode.PLUGIN_REJECTED));
  }

  @Test
  void anEndlessVersionIsQuarantinedToo() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();

    drop("2.0.0", LiveSamples.Endless.class);
    manager.rescan();

    assertThat(status(manager, "2.0.0").reason()).contains("CAP-3");
    assertThat(run(3, 10)).isEqualTo("1.0.0");
  }

  @Test
  void aVersionWhoseFirstPlanFailsIsTakenBackAndTheCallSucceeds() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    drop("2.0.0", LiveSamples.ThrowsWhenLarge.class);
    manager.rescan();
    assertThat(run(2, 10)).isEqualTo("2.0.0");

    assertThat(run(2, LARGE)).isEqualTo("1.0.0");

    assertThat(manager.why(LiveJars.ID)).contains("by itself").contains("too large for me");
    assertThat(status(manager, "1.0.0").state()).isEqualTo(State.SERVING);
  }

  @Test
  void aVersionThatFailsWhileItIsComparedIsPassedOverAndThatIsTold() {
    drop("1.0.0", LiveSamples.ThrowsWhenLarge.class);
    context = comparing().open();
    PluginManager manager = context.pluginManager();

    assertThat(run(2, 10)).isNotEmpty();
    assertThat(status(manager, "1.0.0").failures()).isZero();
    assertThat(run(2, LARGE)).isNotEqualTo("1.0.0");
    assertThat(run(2, LARGE + 1)).isNotEqualTo("1.0.0");

    assertThat(status(manager, "1.0.0").failures()).isEqualTo(1);
    assertThat(manager.why(LiveJars.ID))
        .containsOnlyOnce("failed while it was compared with others")
        .contains("too large for me");
    assertThat(news).filteredOn(it -> it.contains("too large for me")).hasSize(1);

    // Events of another version are reported for that version.
    drop("2.0.0", LiveSamples.Right.class);
    manager.rescan();
    assertThat(manager.why(LiveJars.ID)).doesNotContain("was compared");
    assertThat(context.passedOver()).isEmpty();
  }

  @Test
  void aVersionThatFailsWhileItIsComparedIsTakenBackOnce() {
    drop("1.0.0", LiveSamples.Right.class);
    context = comparing().open();
    drop("2.0.0", LiveSamples.ThrowsWhenLarge.class);
    context.pluginManager().rescan();

    assertThat(run(2, LARGE)).isNotEqualTo("2.0.0");
    assertThat(run(2, LARGE + 1)).isNotEqualTo("2.0.0");

    assertThat(news).filteredOn(it -> it.contains("goes back from 2.0.0 to 1.0.0")).hasSize(1);
    assertThat(status(context.pluginManager(), "1.0.0").state()).isEqualTo(State.SERVING);
    assertThat(context.passedOver()).isEmpty();
  }

  @Test
  void aVersionThatCannotBeTakenBackWhileItIsComparedIsKeptWithoutAnotherTry() {
    AtomicBoolean isFull = new AtomicBoolean();
    drop("1.0.0", LiveSamples.Right.class);
    context =
        SteppedContexts.told(
                comparing(),
                step -> {
                  if (isFull.get() && step == Step.APPEND_STARTED) {
                    throw new IOException("no space is left");
                  }
                })
            .open();
    drop("2.0.0", LiveSamples.ThrowsWhenLarge.class);
    context.pluginManager().rescan();
    isFull.set(true);

    assertThat(run(2, LARGE)).isNotEqualTo("2.0.0");
    assertThat(run(2, LARGE + 1)).isNotEqualTo("2.0.0");
    assertThat(run(3, LARGE)).isNotEqualTo("2.0.0");

    assertThat(news).filteredOn(it -> it.contains("could not be taken back")).hasSize(1);
    assertThat(context.passedOver())
        .singleElement()
        .asString()
        .contains("of version 2.0.0 failed while it was compared", "too large for me");
    assertThat(status(context.pluginManager(), "2.0.0").state()).isEqualTo(State.SERVING);
  }

  /** Watches the plugins, and has an algorithm that theirs are compared with. */
  private ContextBuilder comparing() {
    return Context.builder()
        .algorithm("own", new LiveSamples.Right())
        .watchPlugins(plugins, state)
        .pluginNews(news::add);
  }

  @Test
  void aVersionWhoseFirstPlanIsWrongIsTakenBackBeforeItRuns() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    drop("2.0.0", LiveSamples.WrongWhenLarge.class);
    manager.rescan();

    assertThat(run(3, LARGE)).isEqualTo("1.0.0");

    assertThat(manager.why(LiveJars.ID)).contains("breaks").contains("TUTTI-409");
  }

  @Test
  void whatIsServedSurvivesTheEndOfTheHost() {
    drop("1.0.0", LiveSamples.Right.class);
    open();
    drop("2.0.0", LiveSamples.Wrong.class);
    context.pluginManager().rescan();
    context.close();

    PluginManager manager = open();

    assertThat(run(2, 10)).isEqualTo("1.0.0");
    assertThat(status(manager, "2.0.0").state()).isEqualTo(State.QUARANTINED);
    context.close();
    drop("1.2.0", LiveSamples.Right.class);
    manager = open();
    assertThat(run(2, 10)).isEqualTo("1.2.0");
    manager.rollback(LiveJars.ID);
    context.close();
    open();
    assertThat(run(2, 10)).isEqualTo("1.0.0");
  }

  @Test
  void aPinnedVersionServesWhateverComes() {
    LiveJars.jar(plugins.resolve("a.jar"), "1.0.0", LiveSamples.Right.class);
    LiveJars.jar(plugins.resolve("b.jar"), "1.1.0", LiveSamples.Right.class);
    PluginManager manager = open();
    assertThat(run(2, 10)).isEqualTo("1.1.0");

    PluginStatus pinned = manager.pin(LiveJars.ID, "1.0.0");

    assertThat(pinned.isPinned()).isTrue();
    assertThat(run(2, 10)).isEqualTo("1.0.0");
    LiveJars.jar(plugins.resolve("c.jar"), "3.0.0", LiveSamples.Right.class);
    manager.rescan();
    assertThat(run(2, 10)).isEqualTo("1.0.0");
    assertThat(status(manager, "3.0.0").state()).isEqualTo(State.STANDBY);
    assertThatThrownBy(() -> manager.pin(LiveJars.ID, "9.9.9"))
        .hasMessageContaining("9.9.9")
        .hasMessageContaining("1.0.0");
    manager.unpin(LiveJars.ID);
    assertThat(run(2, 10)).isEqualTo("3.0.0");
  }

  @Test
  void whyTellsWhatARollbackHasDone() {
    LiveJars.jar(plugins.resolve("a.jar"), "1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    LiveJars.jar(plugins.resolve("b.jar"), "1.1.0", LiveSamples.Right.class);
    manager.rescan();

    PluginStatus back = manager.rollback(LiveJars.ID);

    assertThat(back.reason())
        .isEqualTo("version 1.0.0 in a.jar took over again when 1.1.0 was rolled back");
    assertThat(manager.why(LiveJars.ID))
        .contains("took over again when 1.1.0 was rolled back")
        .doesNotContain("the only one");
  }

  @Test
  void aRollbackFromWhatHasNothingBeforeItNamesWhatCouldBePinned() {
    LiveJars.jar(plugins.resolve("a.jar"), "1.0.0", LiveSamples.Right.class);
    LiveJars.jar(plugins.resolve("b.jar"), "1.1.0", LiveSamples.Right.class);
    PluginManager manager = open();

    assertThatThrownBy(() -> manager.rollback(LiveJars.ID))
        .hasMessageContaining("1.1.0 has nothing to go back to")
        .hasMessageEndingWith(
            "install one, or serve one that is there: pin org.example.pull to 1.0.0");
  }

  @Test
  void removeTellsWhatItHasDoneAndNotWhatFollowsSomeTime() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();

    assertThat(manager.remove(LiveJars.ID))
        .containsExactly(
            "pull.jar was deleted",
            "org.example.pull 1.0.0 no longer serves: no version of it can serve");
  }

  @Test
  void aSignatureThatNobodyChecksIsNotedOnce() throws Exception {
    Files.write(plugins.resolve("pull.jar.sig"), new byte[64]);
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    drop("1.1.0", LiveSamples.Right.class);
    manager.rescan();

    assertThat(run(2, 10)).isEqualTo("1.1.0");
    assertThat(news)
        .filteredOn(it -> it.contains("signature"))
        .containsExactly(
            "pull.jar has a signature that is not checked, because the host has no trust file");
  }

  @Test
  void nothingOfARemovedPluginStaysInTheStore() throws Exception {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();

    manager.remove(LiveJars.ID);

    collected();
    Await.until(() -> state.resolve("store").toFile().list().length == 0);
    assertThat(manager.why(LiveJars.ID)).contains("is not served").contains("was forgotten");
  }

  @Test
  void removeEndsTheServiceAndNothingOfThePluginStays() throws Exception {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    run(2, 10);

    manager.remove(LiveJars.ID);

    assertThat(plugins.resolve("pull.jar")).doesNotExist();
    assertThat(context.plugins().algorithms()).isEmpty();
    collected();
    Await.until(() -> news.contains("org.example.pull 1.0.0 is unloaded"));
  }

  @Test
  void anExceptionOfAPluginThatSomebodyKeepsDoesNotKeepThePlugin() throws Exception {
    drop("1.0.0", LiveSamples.ThrowsWhenLarge.class);
    PluginManager manager = open();
    TuttiException kept = null;
    try {
      run(2, LARGE);
    } catch (TuttiException e) {
      kept = e;
    }
    assertThat(kept).hasMessageContaining("too large for me");
    assertThat(kept.getCause().toString())
        .isEqualTo("dev.tutti.plugin.live.LiveSamples$OutOfItException: too large for me");

    manager.remove(LiveJars.ID);

    collected();
    assertThat(kept).hasMessageContaining("too large for me");
  }

  @Test
  void installPutsAJarIntoTheDirectoryOnlyIfItIsFit() {
    PluginManager manager = open();
    Path right = LiveJars.jar(directory.resolve("right.jar"), "1.0.0", LiveSamples.Right.class);
    Path wrong = LiveJars.jar(directory.resolve("wrong.jar"), "1.0.0", LiveSamples.Wrong.class);

    assertThatThrownBy(() -> manager.install(wrong)).hasMessageContaining("SEM-");
    assertThat(plugins).isEmptyDirectory();
    PluginStatus status = manager.install(right);

    assertThat(status.state()).isEqualTo(State.SERVING);
    assertThat(plugins.resolve("right.jar")).exists();
    assertThat(run(2, 10)).isEqualTo("1.0.0");
  }

  @Test
  void whatWasRolledBackServesAgainWhenItIsInstalledAnew() {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    Path next = LiveJars.jar(directory.resolve("pull.jar"), "2.0.0", LiveSamples.Right.class);
    manager.install(next);
    manager.rollback(LiveJars.ID);
    assertThat(run(2, 10)).isEqualTo("1.0.0");

    PluginStatus again = manager.install(next);

    assertThat(again.state()).isEqualTo(State.SERVING);
    assertThat(run(2, 10)).isEqualTo("2.0.0");
  }

  @Test
  void aDirectoryThatGoesAwayChangesNothing() throws Exception {
    drop("1.0.0", LiveSamples.Right.class);
    PluginManager manager = open();
    Path away = directory.resolve("away");
    Files.move(plugins, away);

    assertThatThrownBy(manager::rescan).hasMessageContaining("does not exist");
    assertThat(run(2, 10)).isEqualTo("1.0.0");

    Files.move(away, plugins);
    manager.rescan();
    assertThat(run(2, 10)).isEqualTo("1.0.0");
    drop("1.1.0", LiveSamples.Right.class);
    Await.until(() -> context.plugins().algorithms().getFirst().version().equals("1.1.0"));
  }

  @Test
  void aSecondHostOnOneStateIsRefused() {
    open();
    assertThatThrownBy(() -> Context.builder().watchPlugins(plugins, state).open())
        .isInstanceOf(TuttiException.class)
        .satisfies(
            it -> assertThat(((TuttiException) it).code()).isEqualTo(ErrorCode.PLUGIN_STATE));
  }

  /**
   * Each part lies there until it was looked at twice, so that it was read, and is as young as a
   * file can be, however long the thread of this test stands still.
   */
  @Test
  void aJarThatGrowsWhileItIsWatchedServesWhenItIsWhole() throws Exception {
    byte[] whole =
        Files.readAllBytes(
            LiveJars.jar(directory.resolve("x.jar"), "1.0.0", LiveSamples.Right.class));
    Path target = plugins.resolve("slow.jar");
    ManualClock clock = new ManualClock();
    AtomicInteger looks = new AtomicInteger();
    LiveSettings settings =
        LiveSettings.of(plugins, state)
            .withClock(clock)
            .withTime(
                () -> {
                  looks.incrementAndGet();
                  return Instant.ofEpochMilli(target.toFile().lastModified());
                });
    try (LivePlugins live = LivePlugins.open(settings, List.of())) {
      for (int part = 1; part < 8; part++) {
        Files.write(target, Arrays.copyOf(whole, whole.length * part / 8));
        int before = looks.get();
        awaitLook(clock, () -> looks.get() >= before + 2);
      }
      Files.write(target, whole);
      awaitLook(clock, () -> !live.catalogues().current().plugins().algorithms().isEmpty());

      assertThat(status(live, "1.0.0").state()).isEqualTo(State.SERVING);
      assertThat(live.news()).noneMatch(it -> it.contains("refused"));
    }
  }

  /** Lets the time between looks pass again and again until one has led to something. */
  private static void awaitLook(ManualClock clock, BooleanSupplier isDone) {
    Await.until(
        () -> {
          clock.advance(Duration.ofMillis(50));
          return isDone.getAsBoolean();
        });
  }

  private void drained() {
    assertThat(((LivePlugins) context.pluginManager()).awaitDrained(Duration.ofSeconds(20)))
        .isTrue();
  }

  private void collected() {
    drained();
    LivePlugins live = (LivePlugins) context.pluginManager();
    Await.collection(() -> live.uncollected() == 0);
  }
}
