package dev.tutti.cli.verify;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.ClusterBuilder;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How thoroughly each case is checked. */
final class VerifyDepth {

  private static final Duration DEFAULT_PLANNING_LIMIT = Duration.ofSeconds(10);

  @Option(
      names = "--schedules",
      paramLabel = "<n>",
      description = "Runs on real data, each in another order. Default: 4.")
  private @Nullable Integer schedules;

  @Option(names = "--stress", paramLabel = "<n>", description = "Runs on real threads. Default: 1.")
  private @Nullable Integer stress;

  @Option(
      names = "--faults",
      paramLabel = "<n>",
      description = "Injected faults, each in a run of its own. Default: 2.")
  private @Nullable Integer faults;

  @Option(
      names = "--static",
      description = "Judges the plans for all schedules at once, and runs nothing.")
  private boolean isStatic;

  @Option(
      names = "--out-of-place",
      description = "Checks out of place only, even if an operation can run in place.")
  private boolean isOutOfPlace;

  @Option(
      names = "--specials",
      description = "Puts NaN, infinities and zeros of both signs among floating-point inputs.")
  private boolean hasSpecials;

  @Option(
      names = "--atomic-reductions",
      description = "Treats concurrent reductions into one place as atomic, not as a race.")
  private boolean hasAtomicReductions;

  @Option(
      names = "--rule",
      paramLabel = "<id>",
      split = ",",
      description = "Checks only this rule, and the CAP rules that say why there is no plan.")
  private List<Rule> rules = new ArrayList<>();

  @Option(
      names = "--without",
      paramLabel = "<id>",
      split = ",",
      description = "Leaves out this rule.")
  private List<Rule> without = new ArrayList<>();

  @Option(
      names = "--planning-limit",
      paramLabel = "<time>",
      description =
          "The longest time a plugin may take to plan a case: 500ms, 2m, or 10 for seconds."
              + " Default: 10s, plus 5 ms for each rank.")
  private @Nullable Duration planningLimit;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      description = "Threads that plan and check. Default: one per processor.")
  private @Nullable Integer workers;

  /** Refuses options that contradict each other. */
  void check() {
    if (isStatic && (schedules != null || stress != null || faults != null)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--static runs nothing; leave it out, or leave out --schedules, --stress and --faults");
    }
    if (!rules.isEmpty() && without.containsAll(rules)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--rule and --without leave no rule; leave one of them out");
    }
    requireAtLeast("--schedules", schedules, 0);
    requireAtLeast("--stress", stress, 0);
    requireAtLeast("--faults", faults, 0);
    requireAtLeast("--workers", workers, 1);
  }

  private static void requireAtLeast(String option, @Nullable Integer value, int least) {
    if (value != null && value < least) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s must be %d or more. Actual: %d", option, least, value);
    }
  }

  int workers() {
    return workers == null ? Runtime.getRuntime().availableProcessors() : workers;
  }

  Duration planningLimit() {
    return planningLimit == null ? DEFAULT_PLANNING_LIMIT : planningLimit;
  }

  /**
   * The cluster of a case.
   *
   * @param threads the number of threads that record and check it
   * @param shrinks whether to search for the smallest failing case
   * @param remotePlans plans to compare with; null for none
   */
  VirtualCluster cluster(
      CollectiveCase c, int threads, boolean shrinks, @Nullable RemotePlans remotePlans) {
    ClusterBuilder builder =
        VirtualCluster.builder(c)
            .bothWays(!isOutOfPlace)
            .specials(hasSpecials)
            .atomicReductions(hasAtomicReductions)
            .workers(threads)
            .shrink(shrinks);
    if (remotePlans != null) {
      builder.remotePlans(remotePlans);
    }
    if (planningLimit != null) {
      builder.planningLimit(planningLimit);
    }
    if (isStatic) {
      builder.staticOnly();
    }
    if (schedules != null) {
      builder.schedules(schedules);
    }
    if (stress != null) {
      builder.stress(stress);
    }
    if (faults != null) {
      builder.faults(faults);
    }
    if (!rules.isEmpty()) {
      builder.only(withPlanning().toArray(Rule[]::new));
    }
    return builder.without(without.toArray(Rule[]::new)).build();
  }

  /**
   * The requested rules and those about planning: if a case cannot be planned, no other rule checks
   * it.
   */
  private Set<Rule> withPlanning() {
    Set<Rule> wanted = EnumSet.copyOf(rules);
    for (Rule rule : Rule.values()) {
      if (rule.family().equals(Rule.PLANNING_FAILED.family())) {
        wanted.add(rule);
      }
    }
    return wanted;
  }

  /** These options as arguments, without those that have their defaults. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--schedules", schedules);
    add(arguments, "--stress", stress);
    add(arguments, "--faults", faults);
    if (isStatic) {
      arguments.add("--static");
    }
    if (hasSpecials) {
      arguments.add("--specials");
    }
    if (hasAtomicReductions) {
      arguments.add("--atomic-reductions");
    }
    rules.forEach(rule -> add(arguments, "--rule", rule.id()));
    without.forEach(rule -> add(arguments, "--without", rule.id()));
    if (planningLimit != null) {
      long micros = planningLimit.toNanos() / 1000;
      String time = micros % 1000 == 0 ? micros / 1000 + "ms" : micros + "us";
      add(arguments, "--planning-limit", time);
    }
    return arguments;
  }

  private static void add(List<String> arguments, String option, @Nullable Object value) {
    if (value != null) {
      arguments.add(option);
      arguments.add(value.toString());
    }
  }
}
