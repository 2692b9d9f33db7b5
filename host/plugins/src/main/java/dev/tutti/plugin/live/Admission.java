package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.TransferPeers;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.matrix.Acceptance;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.Traits;
import dev.tutti.verifier.purity.OtherProcesses;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Admits a plugin if the testkit finds no problem in its algorithms: on groups of 1 to 9 ranks, on
 * ragged nodes, with counts around all critical values, over both protocols, in both modes, for all
 * schedules at once, and partly on real data. Thread-safe.
 */
final class Admission {

  private static final List<String> GROUPS = List.of("1", "2", "3", "4", "5", "8", "3+2", "4+4|1");

  /** One case in this number is also run on data. */
  private static final int RUNS_ONE_IN = 8;

  private final Duration planningLimit;
  private final Duration limit;

  /**
   * Makes an admission.
   *
   * @param planningLimit the longest time for the constructor of a provider, and for an executor to
   *     plan one case
   * @param limit the longest time for all cases of a plugin
   */
  Admission(Duration planningLimit, Duration limit) {
    this.planningLimit = planningLimit;
    this.limit = limit;
  }

  /**
   * Loads a jar that has no problems.
   *
   * @throws TuttiException with the code of the first problem and the text of all
   */
  PluginInstance load(Path content, Path file) {
    PluginJfr.Load event = new PluginJfr.Load();
    event.begin();
    PluginInstance instance;
    try {
      instance = PluginInstance.load(content, file, planningLimit);
    } catch (RuntimeException | Error e) {
      throw refusal(e);
    }
    List<PluginProblem> problems = instance.plugin().problems();
    event.commit(instance.plugin().id(), instance.plugin().version(), "");
    if (!problems.isEmpty()) {
      instance.close();
      throw refusal(problems);
    }
    return instance;
  }

  /** The refusal of a jar with problems. */
  static TuttiException refusal(List<PluginProblem> problems) {
    return new TuttiException(
        problems.getFirst().code(),
        "%s",
        problems.stream().map(PluginProblem::message).collect(Collectors.joining("\n")));
  }

  /**
   * The refusal of a jar whose examination ended with an exception. No exception may affect other
   * jars; only the end of the host is not a verdict.
   */
  static TuttiException refusal(Throwable thrown) {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("interrupted while plugins were examined", thrown);
    }
    return thrown instanceof TuttiException coded
        ? coded
        : new TuttiException(
            ErrorCode.PLUGIN_REJECTED,
            "it could not be examined: %s; if it is right, please report this",
            PluginFailure.of(thrown));
  }

  /**
   * The extent of a plugin's checks.
   *
   * @param plans the number of judged plans
   * @param taken the number of cases that its algorithms accepted
   * @param cases the number of all cases
   */
  record Checked(int plans, int taken, int cases) {
    static final Checked NOTHING = new Checked(0, 0, 0);

    Checked plus(Checked other) {
      return new Checked(plans + other.plans, taken + other.taken, cases + other.cases);
    }

    /** The extent in words, with the number of refused cases. */
    String words() {
      String all = taken == cases ? "" : Sentence.of("; %d of %d cases taken", taken, cases);
      return Sentence.of("%d plans are clean%s", plans, all);
    }
  }

  /** An algorithm, and the jar that it was loaded from; null for an algorithm of this process. */
  record Known(Algorithm algorithm, @Nullable Path jar) {}

  /** Whether a plugin has one side of a transfer but not the other. */
  static boolean needsOthers(Plugin plugin) {
    return plugin.algorithms().stream()
        .anyMatch(
            each ->
                TransferPeers.other(each.operation()) != null
                    && TransferPeers.of(each, plugin.algorithms()) == null);
  }

  /**
   * Checks all algorithms of a plugin.
   *
   * @param known its algorithms and all served ones, because a sender may need a receiver of
   *     another plugin
   * @param threads the number of cases that are checked at once
   * @param others the processes that make the plans a second time
   * @return the extent of the checks
   * @throws TuttiException with {@link ErrorCode#PLUGIN_REJECTED} and the findings
   */
  Checked check(Plugin plugin, List<Known> known, int threads, OtherProcesses others) {
    long end = System.nanoTime() + limit.toNanos();
    Checked checked = Checked.NOTHING;
    for (Algorithm algorithm : plugin.algorithms()) {
      checked = checked.plus(check(algorithm, known, threads, end, others));
    }
    return checked;
  }

  private Checked check(
      Algorithm algorithm, List<Known> known, int threads, long end, OtherProcesses others) {
    List<Algorithm> all = known.stream().map(Known::algorithm).toList();
    Algorithm partner = TransferPeers.of(algorithm, all);
    Operation other = TransferPeers.other(algorithm.operation());
    if (partner == null && other != null) {
      throw rejected(
          algorithm,
          Sentence.of(
              "no plugin has an algorithm for %s, without which it cannot be checked",
              other.label()));
    }
    List<Algorithm> checked = partner == null ? List.of(algorithm) : List.of(algorithm, partner);
    List<CollExecutorBase<?>> executors =
        checked.stream().<CollExecutorBase<?>>map(Algorithm::executor).toList();
    List<AlgParameter<?>> parameters =
        checked.stream().<AlgParameter<?>>flatMap(each -> each.parameters().stream()).toList();
    List<CollectiveCase> cases = cases(algorithm.operation(), parameters, executors);
    OtherProcesses.Subject remotePlans = remotePlans(checked, known, cases.size(), others);
    RemotePlans later = remotePlans == null ? null : remotePlans.later();
    VirtualCluster judging = cluster(0, later);
    VirtualCluster running = cluster(1, later);
    AtomicInteger taken = new AtomicInteger();
    int plans =
        ParallelTasks.sum(
            cases.size(),
            threads,
            number -> {
              requireTime(algorithm, number, cases.size(), end);
              boolean isRun = number % RUNS_ONE_IN == 0;
              int made = check(algorithm, executors, cases.get(number), isRun ? running : judging);
              taken.addAndGet(made > 0 ? 1 : 0);
              return made;
            });
    if (plans == 0) {
      throw rejected(
          algorithm,
          Sentence.of(
              "it takes none of %d cases, of groups of up to 64 ranks and vectors of up to %d"
                  + " elements, so nothing is known about it%s; if it is for one kind of group,"
                  + " name it in its annotation: @CollAlgorithm(shapes = \"16+16\")",
              cases.size(), 1 << 20, reasons(executors, cases)));
    }
    if (remotePlans != null) {
      VirtualCluster comparing = cluster(0, remotePlans);
      for (CollectiveCase c : remotePlans.differing()) {
        int _ = check(algorithm, executors, c, comparing);
      }
    }
    return new Checked(plans, taken.get(), cases.size());
  }

  /** The answers of the executors for the first of the cases. */
  private String reasons(List<CollExecutorBase<?>> executors, List<CollectiveCase> cases) {
    if (cases.isEmpty()) {
      return "";
    }
    Report report = cluster(0, null).check(cases.getFirst(), executors);
    return report.findings().stream()
        .findFirst()
        .map(finding -> Sentence.of(" (of %s: %s)", cases.getFirst(), finding.message()))
        .orElse("");
  }

  /** The plans of other processes; null if an algorithm does not come from a jar. */
  private static OtherProcesses.@Nullable Subject remotePlans(
      List<Algorithm> checked, List<Known> known, int cases, OtherProcesses others) {
    List<String> reference = new ArrayList<>();
    for (Algorithm each : checked) {
      Path jar =
          known.stream()
              .filter(one -> one.algorithm() == each)
              .map(Known::jar)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
      if (jar == null) {
        return null;
      }
      reference.addAll(JarPlans.reference(each, jar));
    }
    return others.subject(reference, cases);
  }

  private void requireTime(Algorithm algorithm, int number, int cases, long end) {
    if (System.nanoTime() - end > 0) {
      throw rejected(
          algorithm,
          Sentence.of(
              "its plugin was not checked within %d s; it was at case %d of %d",
              limit.toSeconds(), number, cases));
    }
  }

  private static int check(
      Algorithm algorithm,
      List<CollExecutorBase<?>> executors,
      CollectiveCase c,
      VirtualCluster cluster) {
    Report report = cluster.check(c, executors);
    boolean isRefused = report.findings().stream().allMatch(each -> each.rule() == Rule.REFUSED);
    if (!isRefused) {
      throw rejected(
          algorithm, Sentence.of("it breaks %s; %s", String.join(", ", report.rules()), report));
    }
    return report.planCount();
  }

  /**
   * The cluster that checks all cases of a plugin, so that they share one thread for calls that may
   * never return.
   */
  private VirtualCluster cluster(int schedules, @Nullable RemotePlans remotePlans) {
    ClusterBuilder builder =
        VirtualCluster.builder(Topology.parse("1"))
            .workers(1)
            .shrink(false)
            .schedules(schedules)
            .stress(0)
            .faults(0)
            .planningLimit(planningLimit);
    return remotePlans == null ? builder.build() : builder.remotePlans(remotePlans).build();
  }

  private List<CollectiveCase> cases(
      Operation operation, List<AlgParameter<?>> parameters, List<CollExecutorBase<?>> executors) {
    List<Topology> groups = new ArrayList<>();
    for (String text : GROUPS) {
      Topology group = Topology.parse(text);
      if (group.rankSize() > 1 || !Traits.isTransfer(operation)) {
        groups.add(group);
      }
    }
    Matrix matrix = Matrix.standard(operation).withTopologies(groups).withParameters(parameters);
    return new Acceptance(executors).usualCases(matrix, planningLimit);
  }

  private static TuttiException rejected(Algorithm algorithm, String why) {
    return new TuttiException(ErrorCode.PLUGIN_REJECTED, "%s: %s", algorithm, why);
  }
}
