package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankTasks;
import dev.tutti.host.Rte;
import dev.tutti.host.SampleAlgorithms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A job whose ranks have separate contexts, but are threads of one JVM. They share memory or send
 * each other data in messages, and communicate in the same way as processes.
 */
public final class OneJvmJob {

  static final String TOKEN = "0123456789abcdef0123456789abcdef";

  /** Long enough for any test; a long run of one says more. */
  private static final int MINUTES = Integer.getInteger("tutti.job.minutes", 5);

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private OneJvmJob() {}

  /** The way in which the ranks exchange data. */
  public enum Link {
    /** Memory that all share. */
    MEMORY,
    /** Messages. */
    MESSAGES,
    /** Memory between ranks of one process, of which most have two, and messages between others. */
    MIXED
  }

  /** The work of a rank with its context. */
  @FunctionalInterface
  public interface Member<T> {
    T run(Context context) throws Exception;
  }

  /** The work of a rank in a group. */
  @FunctionalInterface
  public interface Body<T> {
    T run(Context context, RankHandle rank) throws Exception;
  }

  /** A directory in which processes may meet, with a path that is short enough for a socket. */
  static Path newDirectory() throws IOException {
    return Files.createTempDirectory("tutti-test");
  }

  static ContextBuilder builder(int rank, int ranks, Path directory) {
    return SampleAlgorithms.addTo(Context.builder())
        .joinDeadline(PATIENCE)
        .deadline(PATIENCE)
        .rte(Rte.process(rank, ranks, directory, TOKEN));
  }

  /** Sets up the context of a rank. */
  @FunctionalInterface
  public interface Settings {
    ContextBuilder of(int rank, ContextBuilder builder);
  }

  /** Runs all ranks, each on its own thread, and returns their results by rank. */
  public static <T> List<T> run(int ranks, UnaryOperator<ContextBuilder> settings, Member<T> member)
      throws Exception {
    return run(ranks, (rank, builder) -> settings.apply(builder), member);
  }

  /** The same with any link. */
  public static <T> List<T> run(
      Link link, int ranks, UnaryOperator<ContextBuilder> settings, Member<T> member)
      throws Exception {
    return run(link, ranks, (rank, builder) -> settings.apply(builder), member);
  }

  /** The same with settings that may differ. */
  public static <T> List<T> run(int ranks, Settings settings, Member<T> member) throws Exception {
    return run(Link.MEMORY, ranks, settings, member);
  }

  /** The same with any link and settings that may differ. */
  public static <T> List<T> run(Link link, int ranks, Settings settings, Member<T> member)
      throws Exception {
    // Each member is a process with one rank.
    assumeThat(link).isNotEqualTo(Link.MIXED);
    Path directory = newDirectory();
    OneJvmNetwork network = new OneJvmNetwork(ranks, ranks);
    List<T> results =
        resultsOf(
            RankTasks.start(
                ranks,
                rank -> {
                  ContextBuilder builder = builder(rank, ranks, directory);
                  if (link == Link.MESSAGES) {
                    builder = HostAccess.messages(builder, network.world(rank));
                  }
                  try (Context context = settings.of(rank, builder).open()) {
                    return member.run(context);
                  }
                }));
    requireNothingLeft(directory);
    return results;
  }

  private static <T> List<T> resultsOf(List<FutureTask<T>> tasks) throws Exception {
    List<T> results = new ArrayList<>();
    Map<Integer, Throwable> failures = new TreeMap<>();
    for (int member = 0; member < tasks.size(); member++) {
      try {
        results.add(tasks.get(member).get(MINUTES, TimeUnit.MINUTES));
      } catch (ExecutionException e) {
        failures.put(member, e.getCause());
      } catch (TimeoutException e) {
        failures.put(member, e);
      }
    }
    if (!failures.isEmpty()) {
      // A report may show no more than the message.
      AssertionError failure = new AssertionError("what members threw: " + failures);
      failures.values().forEach(failure::addSuppressed);
      throw failure;
    }
    return results;
  }

  /**
   * Runs processes that send each other messages and have several ranks each.
   *
   * @param ranks how many ranks each has
   * @return what each member returns
   */
  public static <T> List<T> inProcesses(int[] ranks, Settings settings, Member<T> member)
      throws Exception {
    OneJvmNetwork network = new OneJvmNetwork(ranks.length, ranks.length);
    return resultsOf(
        RankTasks.start(
            ranks.length,
            process -> {
              ContextBuilder builder =
                  SampleAlgorithms.addTo(Context.builder())
                      .joinDeadline(PATIENCE)
                      .deadline(PATIENCE);
              builder = HostAccess.messages(builder, network.world(process), ranks[process]);
              try (Context context = settings.of(process, builder).open()) {
                return member.run(context);
              }
            }));
  }

  /** The same in a group of all ranks, whose bodies run as threads of their processes. */
  public static <T> List<T> inGroup(int[] ranks, Body<T> body) throws Exception {
    return inGroup(ranks, (process, builder) -> builder, body);
  }

  private static <T> List<T> inGroup(int[] ranks, Settings settings, Body<T> body)
      throws Exception {
    List<Map<Integer, Optional<T>>> all =
        inProcesses(
            ranks,
            settings,
            context -> {
              Map<Integer, Optional<T>> results = new ConcurrentHashMap<>();
              try (Group group = context.createGroup(context.rte().ranks())) {
                group.run(
                    rank ->
                        results.put(
                            rank.rank(), Optional.ofNullable(resultOf(context, rank, body))));
              }
              return results;
            });
    Map<Integer, Optional<T>> byRank = new TreeMap<>();
    all.forEach(byRank::putAll);
    return byRank.values().stream().map(each -> each.orElse(null)).toList();
  }

  private static <T> T resultOf(Context context, RankHandle rank, Body<T> body) {
    try {
      return body.run(context, rank);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Two ranks in each process; an odd one is alone in the first. */
  private static int[] mixed(int ranks) {
    assumeThat(ranks).as("ranks in two processes, of which one has two").isGreaterThan(2);
    int[] sizes = new int[(ranks + 1) / 2];
    Arrays.fill(sizes, 2);
    sizes[0] = ranks % 2 == 1 ? 1 : 2;
    return sizes;
  }

  /** The same in a group of all ranks. */
  public static <T> List<T> inGroup(int ranks, Body<T> body) throws Exception {
    return inGroup(Link.MEMORY, ranks, body);
  }

  /** The same with any link. */
  public static <T> List<T> inGroup(Link link, int ranks, Body<T> body) throws Exception {
    return inGroup(link, ranks, (process, builder) -> builder, body);
  }

  /** The same with any link and settings that may differ between processes. */
  public static <T> List<T> inGroup(Link link, int ranks, Settings settings, Body<T> body)
      throws Exception {
    if (link == Link.MIXED) {
      return inGroup(mixed(ranks), settings, body);
    }
    return run(
        link,
        ranks,
        settings,
        context -> {
          try (Group group = context.createGroup(ranks)) {
            return body.run(context, group.rank(group.localRanks()[0]));
          }
        });
  }

  static void requireNothingLeft(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
    Files.delete(directory);
  }
}
