package dev.tutti.verifier;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds a virtual cluster: its group, and how thoroughly it checks. Not thread-safe. */
public final class ClusterBuilder {

  private CommInfo comm;
  private int schedules = 4;
  private long seed = 1;
  private boolean hasSpecials;
  private int stressRuns = 1;
  private int faults = 2;
  private boolean bothWays = true;
  private boolean atomicReductions;
  private @Nullable Duration planningLimit;
  private long allocationLimit;
  private int maxActions = PlanRecorder.DEFAULT_MAX_ACTIONS;
  private int workers = 1;
  private Set<Rule> rules = EnumSet.allOf(Rule.class);
  private boolean shrinks = true;
  private @Nullable RemotePlans remotePlans;

  ClusterBuilder(CommInfo comm) {
    this.comm = comm;
  }

  /** How the caller's memory is reached; GRAPH by default. */
  public ClusterBuilder mode(WorkflowMode newMode) {
    comm = comm.withMode(newMode);
    return this;
  }

  /** How bytes cross the links; DIRECT by default. */
  public ClusterBuilder protocol(Protocol newProtocol) {
    comm = comm.withProtocol(newProtocol);
    return this;
  }

  /** How bytes cross the links of one plane; by default as on all planes. */
  public ClusterBuilder protocol(CommPlane plane, Protocol newProtocol) {
    comm = comm.withProtocol(plane, newProtocol);
    return this;
  }

  /** The required determinism; none by default. */
  public ClusterBuilder determinism(Determinism newDeterminism) {
    comm = comm.withDeterminism(newDeterminism);
    return this;
  }

  /** The size of each CCL buffer in bytes. */
  public ClusterBuilder cclBufferSize(long newSize) {
    comm = comm.withCclBufferSize(newSize);
    return this;
  }

  /** The number of runs on real data, each with its own order and data; 4 by default. */
  public ClusterBuilder schedules(int newSchedules) {
    schedules = notNegative("schedules", newSchedules);
    return this;
  }

  /** The number of runs on real threads; 1 by default. */
  public ClusterBuilder stress(int runs) {
    stressRuns = notNegative("stress runs", runs);
    return this;
  }

  /**
   * The number of faults to inject, each in its own run; 2 by default. If a plan has fewer possible
   * faults, the cluster injects all of them.
   */
  public ClusterBuilder faults(int newFaults) {
    faults = notNegative("faults", newFaults);
    return this;
  }

  /**
   * Whether an operation that can run in place is checked both in place and out of place, whatever
   * the request says; true by default.
   */
  public ClusterBuilder bothWays(boolean areWanted) {
    bothWays = areWanted;
    return this;
  }

  /** Judges plans without running them. */
  public ClusterBuilder staticOnly() {
    return schedules(0).stress(0).faults(0);
  }

  /** The seed that chooses orders, data and faults; 1 by default. */
  public ClusterBuilder seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  /** Puts NaN, infinities and zeros of both signs among floating-point inputs. */
  public ClusterBuilder specials(boolean isWanted) {
    hasSpecials = isWanted;
    return this;
  }

  /**
   * Declares that the hardware applies concurrent reductions into one place atomically. They are
   * then no race, but their order depends on timing.
   */
  public ClusterBuilder atomicReductions(boolean areAtomic) {
    atomicReductions = areAtomic;
    return this;
  }

  /** How long planning on all ranks may take; by default 10 s plus 5 ms for each rank. */
  public ClusterBuilder planningLimit(Duration newLimit) {
    if (newLimit.isNegative() || newLimit.isZero()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "the planning limit must be positive. Actual: %s", newLimit);
    }
    planningLimit = newLimit;
    return this;
  }

  /** How many bytes planning may allocate; by default 4 GiB plus 16 MiB for each rank. */
  public ClusterBuilder allocationLimit(long bytes) {
    if (bytes <= 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "the allocation limit must be positive. Actual: %d", bytes);
    }
    allocationLimit = bytes;
    return this;
  }

  /** How many actions one rank may emit; 2^24 by default. */
  public ClusterBuilder maxActions(int actions) {
    maxActions = notNegative("actions", actions);
    return this;
  }

  /** The number of threads that record and judge large plans; 1 by default. */
  public ClusterBuilder workers(int threads) {
    if (threads < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "workers must be 1 or more. Actual: %d", threads);
    }
    workers = threads;
    return this;
  }

  /** Reports only the given rules. */
  public ClusterBuilder only(Rule... wanted) {
    rules = EnumSet.noneOf(Rule.class);
    rules.addAll(List.of(wanted));
    return this;
  }

  /** Does not report the given rules. */
  public ClusterBuilder without(Rule... unwanted) {
    List.of(unwanted).forEach(rules::remove);
    return this;
  }

  /** Whether to search for the smallest failing case; true by default. */
  public ClusterBuilder shrink(boolean isWanted) {
    shrinks = isWanted;
    return this;
  }

  /**
   * Compares each plan of a {@link dev.tutti.verifier.matrix.CollectiveCase} with the plans that
   * other processes make.
   */
  public ClusterBuilder remotePlans(RemotePlans plans) {
    remotePlans = plans;
    return this;
  }

  private static int notNegative(String what, int value) {
    if (value < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s must be 0 or more. Actual: %d", what, value);
    }
    return value;
  }

  /** The cluster. */
  public VirtualCluster build() {
    return new VirtualCluster(
        comm,
        new CheckSettings(
            schedules,
            seed,
            hasSpecials,
            stressRuns,
            faults,
            bothWays,
            atomicReductions,
            planningLimit == null
                ? Duration.ofSeconds(10).plus(Duration.ofMillis(5).multipliedBy(comm.rankSize()))
                : planningLimit,
            allocationLimit == 0 ? (4L << 30) + comm.rankSize() * (16L << 20) : allocationLimit,
            maxActions,
            workers,
            Set.copyOf(rules),
            shrinks,
            remotePlans));
  }
}
