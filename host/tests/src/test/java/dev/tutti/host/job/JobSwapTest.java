package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankRequest;
import dev.tutti.host.RankTasks;
import dev.tutti.host.SteppedContexts;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.live.LiveSamples;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plugins that all ranks of a job replace together, or none does. */
@ParameterizedClass
@EnumSource
@Timeout(3600)
final class JobSwapTest {

  private static final int SWAPS = Integer.getInteger("tutti.job.swaps", 20);

  @Parameter private Link link;

  @TempDir private Path directory;
  private final List<String> news = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Mishap> mishap = new AtomicReference<>();
  private Path plugins;

  @BeforeEach
  void serveTheFirstVersion() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    drop("1.0.0", SwapSamples.Sum.class);
  }

  private void drop(String version, Class<?> sum) {
    SwapJars.drop(plugins, version, sum, SwapSamples.Send.class);
  }

  private ContextBuilder watching(int rank, ContextBuilder builder) {
    return SteppedContexts.told(
            builder.watchPlugins(plugins, directory.resolve("state")), step -> passed(rank, step))
        .pluginNews(news::add);
  }

  /** The work of a rank in a group of all ranks. */
  @FunctionalInterface
  private interface Member {
    void run(Context context, SwapLoad load) throws Exception;
  }

  private void inJob(int ranks, Member member) throws Exception {
    OneJvmJob.inGroup(
        link,
        ranks,
        this::watching,
        (context, rank) -> {
          member.run(context, new SwapLoad(context, rank, link != Link.MIXED));
          return null;
        });
  }

  private static boolean isFirst(Context context) {
    return context.rte().isLocal(0);
  }

  private static State stateOf(PluginManager manager, String version) {
    return status(manager, version).state();
  }

  private static PluginStatus status(PluginManager manager, String version) {
    return manager.list().stream()
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElseThrow();
  }

  private static MemorySegment ints(int count) {
    return MemorySegment.ofArray(new int[count]);
  }

  // Changes.

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void swapsUnderLoadLoseNothing(int ranks) throws Exception {
    String last = SwapSeries.last(SWAPS);
    List<Long> rounds = new CopyOnWriteArrayList<>();
    inJob(
        ranks,
        (context, load) -> {
          if (load.isFirst()) {
            FutureTask<Void> changes =
                new FutureTask<>(() -> change(context.pluginManager()), null);
            Thread.ofPlatform().daemon().start(changes);
            rounds.add(load.run(changes::isDone));
            changes.get(5, TimeUnit.MINUTES);
          } else {
            rounds.add(load.run(() -> false));
          }
          Await.until(() -> SwapJars.served(context).equals(last));
        });
    assertThat(rounds).hasSize(ranks).allMatch(each -> each > 1);
    if (System.getProperty("tutti.job.swaps") != null) {
      System.out.println(SWAPS + " swaps of " + ranks + " contexts, rounds of calls: " + rounds);
    }
  }

  private static void change(PluginManager manager) {
    SwapSeries series = new SwapSeries(manager);
    for (int i = 0; i < SWAPS; i++) {
      String version = series.next();
      if (i % 2 == 0) {
        // The next version comes when a rank has planned with this one, or sooner.
        Await.untilClosely(() -> status(manager, version).plans() > 0);
      }
    }
  }

  @Test
  void allRanksPlanWithTheVersionOfRankZero() throws Exception {
    inJob(
        3,
        (context, load) -> {
          assertThat(SwapJars.served(context)).as("%s", news).isEqualTo("1.0.0");
          load.sum(ints(5), ints(5), 3, 0);
          if (load.isFirst()) {
            drop("2.0.0", SwapSamples.Sum.class);
            context.pluginManager().rescan();
            assertThat(SwapJars.served(context)).isEqualTo("2.0.0");
          }
          load.sum(ints(5), ints(5), 3, 0);
          Await.until(() -> SwapJars.served(context).equals("2.0.0"));
          load.move(2, 1, 10);
        });
  }

  /** Without shared memory, ranks that know a call begin before the others have made it. */
  @Test
  void anOperationThatSomeRanksBeganBeforeAChangeEndsWithItsPlan() throws Exception {
    CountDownLatch haveBegun = new CountDownLatch(2);
    inJob(
        3,
        (context, load) -> {
          for (int i = 0; i < 2; i++) {
            load.sum(ints(5), ints(5), 3, 0);
          }
          MemorySegment in = ints(5);
          MemorySegment out = ints(5);
          if (load.isFirst()) {
            Await.latch(haveBegun);
            drop("2.0.0", SwapSamples.Sum.class);
            context.pluginManager().rescan();
            assertThat(SwapJars.served(context)).isEqualTo("2.0.0");
            load.sum(in, out, 4, 0);
          } else {
            RankRequest begun = load.start(in, out, 4);
            haveBegun.countDown();
            begun.await();
            load.checkSum(out, 4);
          }
          Await.until(() -> SwapJars.served(context).equals("2.0.0"));
          load.sum(ints(5), ints(5), 5, 0);
          if (load.isFirst()) {
            assertThat(status(context.pluginManager(), "2.0.0").plans()).isPositive();
          }
        });
  }

  @Test
  void aPluginThatIsRemovedServesNowhere() throws Exception {
    CountDownLatch isRemoved = new CountDownLatch(1);
    inJob(
        2,
        (context, load) -> {
          load.sum(ints(5), ints(5), 3, 0);
          if (load.isFirst()) {
            context.pluginManager().remove(SwapJars.ID);
            isRemoved.countDown();
          }
          Await.latch(isRemoved);
          Await.until(() -> SwapJars.served(context).isEmpty());
          assertThatThrownBy(() -> load.sum(ints(5), ints(5), 3, 0))
              .isInstanceOfSatisfying(
                  TuttiException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_NAME));
        });
  }

  @Test
  void aProcessThatHasLeftNeedNotAnswer() throws Exception {
    CountDownLatch haveLeft = new CountDownLatch(1);
    OneJvmJob.run(
        link,
        3,
        this::watching,
        context -> {
          if (context.rte().isLocal(2)) {
            haveLeft.countDown();
          } else if (isFirst(context)) {
            Await.latch(haveLeft);
            drop("2.0.0", SwapSamples.Sum.class);
            context.pluginManager().rescan();
            assertThat(SwapJars.served(context)).isEqualTo("2.0.0");
          } else {
            Await.until(() -> SwapJars.served(context).equals("2.0.0"));
          }
          return null;
        });
  }

  @Test
  void onlyRankZeroManagesPlugins() throws Exception {
    OneJvmJob.run(
        link,
        2,
        this::watching,
        context -> {
          if (isFirst(context)) {
            assertThat(context.pluginManager().list()).hasSize(1);
          } else {
            assertThatThrownBy(context::pluginManager)
                .hasMessageContaining("rank 0 of the job watches and manages the plugins");
          }
          return null;
        });
  }

  // Refusals.

  /** The action when a rank reaches a step. */
  private record Mishap(int rank, Step step, Work work) {}

  /** Fails, or makes something else fail. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private void passed(int rank, Step step) throws IOException {
    Mishap next = mishap.get();
    if (next != null && next.rank() == rank && next.step() == step) {
      mishap.set(null);
      next.work().run();
    }
  }

  /** Damages the copies of jars, so that others read the file, and puts another jar there. */
  private void loseCopies(String versionOfFile) throws IOException {
    try (Stream<Path> copies = Files.list(directory.resolve("state").resolve("store"))) {
      for (Path copy : copies.toList()) {
        Files.deleteIfExists(copy);
      }
    }
    drop(versionOfFile, SwapSamples.Sum.class);
  }

  private void refuseTheSecondVersion(Mishap reason, String expected) throws Exception {
    CountDownLatch isRefused = new CountDownLatch(1);
    inJob(
        3,
        (context, load) -> {
          load.sum(ints(5), ints(5), 3, 0);
          if (load.isFirst()) {
            PluginManager manager = context.pluginManager();
            mishap.set(reason);
            drop("2.0.0", SwapSamples.Sum.class);
            manager.rescan();
            assertThat(mishap.get()).isNull();
            assertThat(news)
                .anyMatch(
                    it ->
                        it.startsWith("org.example.swapped 2.0.0 (swapped.jar) is quarantined: ")
                            && it.contains(
                                "(process " + ProcessHandle.current().pid() + ") cannot serve it: ")
                            && it.contains(expected));
            isRefused.countDown();
          }
          Await.latch(isRefused);
          assertThat(SwapJars.served(context)).isEqualTo("1.0.0");
          load.sum(ints(6), ints(6), 3, 0);
          if (load.isFirst()) {
            drop("3.0.0", SwapSamples.Sum.class);
            context.pluginManager().rescan();
          }
          Await.until(() -> SwapJars.served(context).equals("3.0.0"));
          load.sum(ints(6), ints(6), 3, 0);
        });
  }

  @Test
  void whatOneProcessCannotLoadServesNowhere() throws Exception {
    refuseTheSecondVersion(
        new Mishap(
            link == Link.MIXED ? 1 : 2,
            Step.LOADED,
            () -> {
              throw new IOException("no more memory");
            }),
        "no more memory");
  }

  @Test
  void aCopyWithAnotherContentIsRefused() throws Exception {
    refuseTheSecondVersion(
        new Mishap(0, Step.EXAMINED, () -> loseCopies("1.0.0")),
        "the copy of org.example.swapped 2.0.0 is not what was examined: expected SHA-256 ");
  }

  private static TuttiException errorOf(FutureTask<?> task) throws Exception {
    try {
      task.get(5, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      return (TuttiException) e.getCause();
    }
    throw new AssertionError("nothing was refused");
  }

  private List<TuttiException> errorsOf(int ranks, OneJvmJob.Settings settings) throws Exception {
    Path meeting = OneJvmJob.newDirectory();
    OneJvmNetwork network = new OneJvmNetwork(ranks, ranks);
    List<FutureTask<Void>> tasks =
        RankTasks.start(
            ranks,
            rank -> {
              ContextBuilder builder = OneJvmJob.builder(rank, ranks, meeting);
              if (link == Link.MESSAGES) {
                builder = HostAccess.messages(builder, network.world(rank));
              }
              settings.of(rank, builder).open().close();
              return null;
            });
    List<TuttiException> errors = new ArrayList<>();
    for (FutureTask<Void> task : tasks) {
      errors.add(errorOf(task));
    }
    OneJvmJob.requireNothingLeft(meeting);
    return errors;
  }

  @Test
  void aJobWhoseFirstPluginsAProcessCannotLoadDoesNotBegin() throws Exception {
    mishap.set(
        new Mishap(
            1,
            Step.LOADED,
            () -> {
              throw new IOException("no more memory");
            }));
    assertThat(errorsOf(2, this::watching))
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("rank 1 (process ")
                    .hasMessageContaining("no more memory"));
  }

  @Test
  void allRanksWatchPluginsOrNone() throws Exception {
    List<TuttiException> errors =
        errorsOf(
            2,
            (rank, builder) ->
                rank == 0 ? watching(0, builder).joinDeadline(Duration.ofSeconds(3)) : builder);
    assertThat(errors.get(1))
        .hasMessageContaining("must have the same way to load plugins")
        .hasMessageContaining("expected watched, actual loaded once");
  }

  // Trials.

  @ParameterizedTest
  @ValueSource(classes = {LiveSamples.ThrowsWhenLarge.class, LiveSamples.WrongWhenLarge.class})
  void aPlanThatFailsInRankZeroMakesAllGoBackAndTheCallIsPlannedAgain(Class<?> failing)
      throws Exception {
    inJob(
        3,
        (context, load) -> {
          if (load.isFirst()) {
            drop("2.0.0", failing);
            context.pluginManager().rescan();
            assertThat(SwapJars.served(context)).isEqualTo("2.0.0");
          }
          load.sum(ints(5), ints(5), 3, 0);
          Await.until(() -> SwapJars.served(context).equals("2.0.0"));

          load.sum(ints(SwapSamples.LARGE), ints(SwapSamples.LARGE), 3, 0);

          assertThat(SwapJars.served(context)).isEqualTo("1.0.0");
          if (load.isFirst()) {
            assertThat(stateOf(context.pluginManager(), "2.0.0"))
                .isIn(State.DRAINING, State.UNLOADING, State.ROLLED_BACK);
          }
        });
    assertThat(news).anyMatch(it -> it.contains("goes back from 2.0.0 to 1.0.0: one of its"));
  }

  /** The sender is the first rank of a transfer, but not the rank that decides. */
  @Test
  void aPlanThatFailsInAnotherFirstRankIsReportedAndPlannedAgain() throws Exception {
    inJob(
        3,
        (context, load) -> {
          if (load.isFirst()) {
            SwapJars.drop(
                plugins, "2.0.0", SwapSamples.Sum.class, SwapSamples.SendThatFailsWhenLarge.class);
            context.pluginManager().rescan();
          }
          load.sum(ints(5), ints(5), 3, 0);
          Await.until(() -> SwapJars.served(context).equals("2.0.0"));

          if (link == Link.MIXED && !load.isFirst()) {
            // Both ranks are in one process, which plans without the others and does not wait.
            assertThatThrownBy(() -> load.move(2, 1, SwapSamples.LARGE))
                .hasMessageContaining("too much");
          } else {
            load.move(2, 1, SwapSamples.LARGE);
          }

          Await.until(() -> SwapJars.served(context).equals("1.0.0"));
          load.sum(ints(5), ints(5), 3, 0);
        });
    assertThat(news)
        .anyMatch(
            it ->
                it.contains(
                    "goes back from 2.0.0 to 1.0.0: on rank"
                        + (link == Link.MIXED ? "s 1, 2" : " 2")
                        + " one of its first"));
  }

  @Test
  void withoutAVersionToGoBackToThePlanFailsForAll() throws Exception {
    SwapJars.drop(plugins, "1.0.0", LiveSamples.ThrowsWhenLarge.class, SwapSamples.Send.class);
    inJob(
        2,
        (context, load) -> {
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(
                    () -> load.sum(ints(SwapSamples.LARGE), ints(SwapSamples.LARGE), 3, 0))
                .isInstanceOfSatisfying(
                    TuttiException.class,
                    e -> assertThat(e.code()).isEqualTo(ErrorCode.EXECUTOR_FAILED))
                .hasMessageContaining("too large for me");
          }
          load.sum(ints(5), ints(5), 3, 0);
        });
  }
}
