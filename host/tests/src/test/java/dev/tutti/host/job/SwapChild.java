package dev.tutti.host.job;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Rte;
import dev.tutti.host.SteppedContexts;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.store.Step;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One rank of a job in a separate process, whose plugins are replaced while it makes calls. It
 * reports how that ended, or it is killed at a step of a change.
 */
public final class SwapChild {

  /** The mode in which rank 0 waits for the end of its changes. */
  static final String TELLS_OF_CHANGE = "TELL";

  /** The mode in which a plan fails. */
  static final String FAILS = "FAIL";

  private final Rte rte;
  private final Path directory;
  private final int swaps;
  private final String victim;
  private volatile String dyingAt;
  private volatile boolean isOver;

  private SwapChild(Rte rte, String... arguments) {
    this.rte = rte;
    this.directory = Path.of(arguments[0]);
    this.swaps = Integer.parseInt(arguments[1]);
    this.victim = arguments[2];
    this.dyingAt = "";
  }

  /**
   * Runs ranks. Each is given the directory of the plugins, the number of changes, and the step at
   * which its process is killed, or what else it does.
   */
  public static void main(String[] arguments) throws IOException {
    RankProcesses.serve(
        (rte, words) -> {
          System.setProperty(SwapSamples.FAILS, String.valueOf(words[2].equals(FAILS)));
          new SwapChild(rte, words).run();
        });
  }

  private void run() throws Exception {
    try (Context context =
        SteppedContexts.told(
                Context.builder()
                    .workers(1)
                    .rte(rte)
                    .joinDeadline(Duration.ofMinutes(2))
                    .deadline(Duration.ofMinutes(1))
                    .pluginNews(this::told)
                    .watchPlugins(directory.resolve("plugins"), directory.resolve("state")),
                this::passed)
            .open()) {
      try (Group group = context.createGroup(context.rte().ranks())) {
        RankHandle rank = group.rank(group.localRanks()[0]);
        SwapLoad load = new SwapLoad(context, rank, true);
        if (swaps == 0) {
          failOnce(context, load);
          return;
        }
        dyingAt = victim;
        if (rank.rank() > 0) {
          System.out.println("ROUNDS " + load.run(() -> false));
        } else {
          lead(context.pluginManager(), load);
        }
        // The last change may arrive after the last call.
        Await.until(() -> SwapJars.served(context).equals(SwapSeries.last(swaps)));
      }
    }
  }

  private void lead(PluginManager manager, SwapLoad load) throws Exception {
    FutureTask<Void> changes = new FutureTask<>(() -> change(manager), null);
    Thread changer = new Thread(changes, "changer");
    changer.setDaemon(true);
    changer.start();
    long start = System.nanoTime();
    try {
      System.out.println("ROUNDS " + load.run(changes::isDone));
      changes.get();
      System.out.println("MILLIS " + (System.nanoTime() - start) / 1_000_000);
    } finally {
      isOver = true;
      if (victim.equals(TELLS_OF_CHANGE)) {
        tellHowItEnds(changes);
      }
    }
  }

  /**
   * The watcher of the directory may find a new jar before the thread that changes plugins does.
   */
  private void told(String news) {
    if (victim.equals(TELLS_OF_CHANGE)) {
      System.out.println("CHANGE " + news);
    }
  }

  private static void tellHowItEnds(FutureTask<Void> changes) throws InterruptedException {
    try {
      changes.get();
    } catch (ExecutionException e) {
      System.out.println("CHANGE " + e.getCause().getMessage());
    }
  }

  private void change(PluginManager manager) {
    SwapSeries series = new SwapSeries(manager);
    for (int i = 0; i < swaps && !isOver; i++) {
      String ignored = series.next();
    }
  }

  /** A version that cannot plan in one process, after one that could. */
  private static void failOnce(Context context, SwapLoad load) {
    if (context.rte().isLocal(0)) {
      SwapJars.drop(
          context.pluginManager().directory(),
          "2.0.0",
          SwapSamples.SumThatFailsInOneProcess.class,
          SwapSamples.Send.class);
      context.pluginManager().rescan();
    }
    load.sum(ints(5), ints(5), 1, 0);
    System.out.println("VERSION " + SwapJars.served(context));
    try {
      load.sum(ints(SwapSamples.LARGE), ints(SwapSamples.LARGE), 2, 0);
    } catch (TuttiException e) {
      System.out.println("FAILED " + e.code().name() + " " + e.getMessage());
    }
    load.sum(ints(SwapSamples.LARGE), ints(SwapSamples.LARGE), 3, 0);
    System.out.println("VERSION " + SwapJars.served(context));
  }

  private static MemorySegment ints(int count) {
    return MemorySegment.ofArray(new int[count]);
  }

  /** Ends this process at once, as a signal does. */
  private void passed(Step step) throws IOException {
    if (step.name().equals(dyingAt)) {
      System.out.println("KILLED " + step);
      System.out.flush();
      Runtime.getRuntime().halt(137);
    }
  }
}
