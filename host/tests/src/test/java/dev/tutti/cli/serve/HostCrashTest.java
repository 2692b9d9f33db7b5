package dev.tutti.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.plugin.live.PullJar;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that runs {@code tutti serve} is killed by SIGKILL each time that a change reaches one
 * of its {@linkplain Step steps}, and the next host is started on its state. A host that is not
 * killed shows which steps a change reaches, and how often.
 */
@Timeout(1800)
class HostCrashTest {

  private static final int AT_ONCE = 2;

  /** The number of sites that a process serves, so that one kill counts for all of them. */
  private static final int SITES = 24;

  /** The steps of the store's own tests: shortening a long journal. */
  private static final Set<Step> OF_LONG_JOURNALS =
      EnumSet.range(Step.REWRITE_STARTED, Step.REWRITE_NAMED);

  /** The steps of the tests of jobs. */
  private static final Set<Step> OF_JOBS = EnumSet.of(Step.PREPARED, Step.HELD);

  private static final Set<Step> KILLED = ConcurrentHashMap.newKeySet();

  @TempDir private static Path directory;

  private static Set<Step> alwaysReached() {
    Set<Step> steps = EnumSet.allOf(Step.class);
    steps.removeAll(OF_LONG_JOURNALS);
    steps.removeAll(OF_JOBS);
    return steps;
  }

  /** The change of a plugin whose version 1.1 serves after 1.0. */
  private enum Change {
    INSTALL("1.2") {
      @Override
      void make(CrashSite site) {
        site.tutti("plugins", "install", site.jar("1.2").toString());
      }
    },
    SWAP("1.2") {
      @Override
      void make(CrashSite site) throws IOException {
        site.drop("1.2");
        site.tutti("plugins", "rescan");
      }
    },
    ROLLBACK("1.0") {
      @Override
      void make(CrashSite site) {
        site.tutti("plugins", "rollback", CrashSite.ID);
      }
    },
    REMOVE("") {
      @Override
      void make(CrashSite site) {
        site.tutti("plugins", "remove", CrashSite.ID);
      }
    };

    /** The version that serves after the change; empty for none. */
    private final String result;

    Change(String result) {
      this.result = result;
    }

    abstract void make(CrashSite site) throws IOException;

    void run(CrashSite site) {
      try {
        make(site);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeAll
  static void prepare() throws Exception {
    for (String version : List.of("1.0", "1.1", "1.2")) {
      Path jar = Files.createDirectories(directory.resolve("jars").resolve(version));
      PullJar.of(CrashSite.ID, version)
          // Takes so little that it is admitted soon.
          .replace("WorkflowMode.GRAPH\n", "WorkflowMode.GRAPH && param.comm().rankSize() == 2\n")
          .write(jar.resolve("pull.jar"));
    }
    CrashSite site = site("before");
    site.drop("1.0");
    try (CrashSite.Served _ = site.serve(new Hosts(List.of(), Context::builder))) {
      site.tutti("plugins", "install", site.jar("1.1").toString());
      assertThat(site.serving()).isEqualTo("1.1");
    }
  }

  private static CrashSite site(String name) throws IOException {
    return new CrashSite(directory.resolve("jars"), directory.resolve(name));
  }

  private static CrashSite copy(String name) throws IOException {
    return site("before").copyTo(directory.resolve(name));
  }

  @Test
  void theNextHostGoesOnFromEachStepOfEachChange() throws Exception {
    List<Kill> kills = new ArrayList<>();
    for (Change change : Change.values()) {
      List<SteppedHost.Occurrence> steps = steps(change);
      assertThat(steps).as("%s", change).hasSizeGreaterThan(8);
      for (SteppedHost.Occurrence step : steps) {
        kills.add(new Kill(change, step, copy("%s-%s".formatted(change, step).replace(' ', '-'))));
      }
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> all = new ArrayList<>();
      for (int from = 0; from < kills.size(); from += SITES) {
        List<Kill> some = kills.subList(from, Math.min(from + SITES, kills.size()));
        all.add(
            threads.submit(
                () -> {
                  killAndGoOn(some);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    kills.forEach(each -> KILLED.add(each.step().step()));
  }

  /** A change that is cut off at a step. */
  private record Kill(Change change, SteppedHost.Occurrence step, CrashSite site) {

    CrashSite.Stop stop() {
      return new CrashSite.Stop(site, step, () -> change.run(site));
    }
  }

  @AfterAll
  static void noStepIsLeftOut() {
    assertThat(KILLED).as("steps at which a host was killed").isEqualTo(alwaysReached());
  }

  /** Each time that a change reaches a step, in a host that is not killed. */
  private static List<SteppedHost.Occurrence> steps(Change change) throws Exception {
    CrashSite site = copy(change.name());
    Map<Step, Integer> seen = new ConcurrentHashMap<>();
    Steps steps = step -> seen.merge(step, 1, Integer::sum);
    Map<Step, Integer> reached;
    try (CrashSite.Served _ = site.serve(SteppedHost.hosts(steps))) {
      Await.until(() -> seen.containsKey(Step.RETIRED));
      seen.clear();
      change.make(site);
      Await.until(() -> seen.containsKey(Step.RETIRED));
      reached = new EnumMap<>(seen);
      assertThat(site.serving()).isEqualTo(change.result);
    }
    return reached.entrySet().stream()
        .flatMap(
            each ->
                IntStream.rangeClosed(1, each.getValue())
                    .mapToObj(number -> new SteppedHost.Occurrence(each.getKey(), number)))
        .toList();
  }

  private static void killAndGoOn(List<Kill> kills) throws Exception {
    CrashSite.killAt(kills.stream().map(Kill::stop).toList());
    for (Kill kill : kills) {
      goOn(kill.change(), kill.site(), kill.change() + ", killed at " + kill.step());
    }
  }

  private static void goOn(Change change, CrashSite site, String when) throws Exception {
    try (CrashSite.Served served = site.serve(new Hosts(List.of(), Context::builder))) {
      assertThat(site.serving()).as(when).isIn("1.1", change.result);
      assertThat(served.out()).as(when).doesNotContain("internal error");
      assertThat(CrashSite.names(site.plugins())).as(when).allMatch("pull.jar"::equals);
      assertThat(CrashSite.names(site.state().resolve("store")))
          .as(when)
          .allMatch(name -> name.matches("[0-9a-f]{64}\\.jar"));
      if (!site.serving().equals(change.result)) {
        change.make(site);
      }
      assertThat(site.serving()).as("%s, asked for again", when).isEqualTo(change.result);
      if (change == Change.REMOVE) {
        Outcome again = site.tutti("plugins", "install", site.jar("1.1").toString());
        assertThat(again.out()).as("%s, installed: %s", when, again).contains("1.1: serving");
      } else {
        site.tutti("plugins", "remove", CrashSite.ID);
        assertThat(site.serving()).as("%s, removed", when).isEmpty();
      }
    }
  }
}
