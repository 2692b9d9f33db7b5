package dev.tutti.verifier;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.AlgorithmName;
import dev.tutti.verifier.planning.CaseTasks;
import dev.tutti.verifier.planning.Planner;
import dev.tutti.verifier.planning.PlanningGuard;
import dev.tutti.verifier.planning.PlanningLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A virtual group of ranks, which records the plans of executors and checks them. Immutable and
 * thread-safe.
 *
 * <p>A check asks every rank for its plan twice, judges the plan for all schedules at once ({@link
 * PlanVerifier}), then runs it on real data in several random schedules ({@link
 * dev.tutti.verifier.run.PlanInterpreter}) and compares the results with an independent computation
 * ({@link dev.tutti.verifier.data.Reference}). Operations that can run in place are checked both in
 * place and out of place. A check collects all findings, and searches for the smallest case that
 * breaks the first broken rule.
 */
public final class VirtualCluster {

  private final CommInfo comm;
  private final CheckSettings settings;
  private final Planner planner;

  VirtualCluster(CommInfo comm, CheckSettings settings) {
    this(comm, settings, planner(settings));
  }

  private VirtualCluster(CommInfo comm, CheckSettings settings, Planner planner) {
    this.comm = comm;
    this.settings = settings;
    this.planner = planner;
  }

  private static Planner planner(CheckSettings settings) {
    PlanningLimits limits =
        new PlanningLimits(
            settings.planningLimit(), settings.allocationLimit(), settings.maxActions());
    return new Planner(new PlanningGuard(limits), new PlanRecorder(), settings.workers());
  }

  /** A builder for a cluster in GRAPH mode over DIRECT links. */
  public static ClusterBuilder builder(Topology topology) {
    return new ClusterBuilder(CommInfo.of(0, topology));
  }

  /** A builder for the cluster of a case, with the seed of the case. */
  public static ClusterBuilder builder(CollectiveCase c) {
    return new ClusterBuilder(c.comm()).seed(c.seed());
  }

  /** The group as rank 0 sees it; for making requests. */
  public CommInfo comm() {
    return comm;
  }

  /**
   * Records the plan of an operation in which every rank runs one executor.
   *
   * @param param the request as any rank of any group sees it; the group is replaced by this one
   * @throws TuttiException as {@link PlanRecorder#record(String, List)}
   */
  public <P extends OpParam> GroupPlan record(CollExecutorBase<P> executor, P param) {
    return new PlanRecorder().record(name(executor, param), executor, viewOf(param, 0));
  }

  /**
   * Checks an executor.
   *
   * @param param the request as any rank of any group sees it; the group is replaced by this one
   */
  public <P extends OpParam> Report check(CollExecutorBase<P> executor, P param) {
    Report report = checkRanks(executor, view -> viewOf(param, view.rank()));
    CollectiveCase c = CollectiveCase.of(viewOf(param, 0), settings.seed());
    return c == null ? report : shrunk(report, c, List.of(executor));
  }

  /**
   * Checks an executor with a separate request for each rank, for example for all-to-all with
   * varying counts.
   *
   * @param params returns the request of a rank, given that rank's view of the group
   */
  public <P extends OpParam> Report checkRanks(
      CollExecutorBase<P> executor, Function<CommInfo, P> params) {
    List<@Nullable Part<?>> parts = new ArrayList<>();
    for (int rank = 0; rank < comm.rankSize(); rank++) {
      parts.add(new Part<>(executor, params.apply(comm.withRank(rank))));
    }
    return check(parts, name(executor, params.apply(comm)));
  }

  /**
   * Checks a transfer between two ranks; the others take no part.
   *
   * @param sender the executor of rank {@code src}
   * @param receiver the executor of rank {@code dst}
   * @param count elements
   */
  public Report checkTransfer(
      CollExecutorBase<SendParam> sender,
      CollExecutorBase<ReceiveParam> receiver,
      int src,
      int dst,
      DataType type,
      long count) {
    SendParam send = new SendParam(comm.withRank(src), type, count, dst);
    ReceiveParam receive = new ReceiveParam(comm.withRank(dst), type, count, src);
    List<@Nullable Part<?>> parts = new ArrayList<>();
    for (int rank = 0; rank < comm.rankSize(); rank++) {
      parts.add(
          rank == src
              ? new Part<>(sender, send)
              : rank == dst ? new Part<>(receiver, receive) : null);
    }
    return check(parts, name(sender, send) + " from rank " + src + " to rank " + dst);
  }

  /**
   * Checks a case. Its group and its seed replace those of this cluster.
   *
   * @param executors the executor of the case, or for a transfer the sender and the receiver
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if an executor is missing
   */
  public Report check(CollectiveCase c, List<? extends CollExecutorBase<?>> executors) {
    VirtualCluster cluster = new VirtualCluster(c.comm(), settings.withSeed(c.seed()), planner);
    Report report = cluster.check(c, parts(c, executors), subject(c, executors));
    return shrunk(report, c, executors);
  }

  /**
   * Checks a case as {@link #check(CollectiveCase, List)} does, and draws the wrong plans. It does
   * not search for a smaller case.
   *
   * @param executors as for {@link #check(CollectiveCase, List)}
   * @throws TuttiException as {@link #check(CollectiveCase, List)}
   */
  public Illustration illustrate(CollectiveCase c, List<? extends CollExecutorBase<?>> executors) {
    ClusterCheck check =
        new ClusterCheck(c.comm(), subject(c, executors), settings.withSeed(c.seed()), planner)
            .drawing();
    check.add(c, parts(c, executors));
    return check.illustration();
  }

  /**
   * Checks that operations can follow one another directly on one group: rules SEQ-1 and SEQ-2, for
   * each pair of operations in order, and for each followed by itself. Each operation should have
   * no findings on its own.
   */
  public Report checkSequence(Step<?>... steps) {
    List<List<@Nullable Part<?>>> operations = new ArrayList<>();
    StringBuilder subject = new StringBuilder("sequence");
    for (Step<?> step : steps) {
      operations.add(parts(step));
      subject.append(operations.size() == 1 ? " " : ", ").append(step.param().operation());
    }
    return new SequenceRun(comm, subject + " on " + comm.topology(), settings, planner)
        .run(operations);
  }

  /**
   * Checks an executor with several requests that differ only in size. It checks each request on
   * its own. If the executor promises {@code SAME_SIZES}, it also checks that an element is reduced
   * in the same order in all of them (rule DET-2).
   */
  public <P extends OpParam> Report checkSizes(CollExecutorBase<P> executor, List<P> params) {
    ClusterCheck check =
        new ClusterCheck(
            comm,
            "sizes of " + AlgorithmName.withClass(executor) + " on " + comm.topology(),
            settings,
            planner);
    for (P param : params) {
      check.add(null, parts(new Step<>(executor, param)));
    }
    return check.report();
  }

  private <P extends OpParam> List<@Nullable Part<?>> parts(Step<P> step) {
    List<@Nullable Part<?>> parts = new ArrayList<>();
    for (int rank = 0; rank < comm.rankSize(); rank++) {
      parts.add(new Part<>(step.executor(), viewOf(step.param(), rank)));
    }
    return parts;
  }

  private static List<@Nullable Part<?>> parts(
      CollectiveCase c, List<? extends CollExecutorBase<?>> executors) {
    List<@Nullable Part<?>> parts = new ArrayList<>();
    for (OpParam param : c.params()) {
      parts.add(
          param == null
              ? null
              : Part.of(CaseTasks.executorFor(param.operation(), executors), param));
    }
    return parts;
  }

  private Report check(List<@Nullable Part<?>> parts, String subject) {
    return check(null, parts, subject);
  }

  private Report check(@Nullable CollectiveCase c, List<@Nullable Part<?>> parts, String subject) {
    ClusterCheck check = new ClusterCheck(comm, subject, settings, planner);
    check.add(c, parts);
    return check.report();
  }

  /** The report with the smallest case that breaks the same rule. */
  private Report shrunk(
      Report report, CollectiveCase c, List<? extends CollExecutorBase<?>> executors) {
    if (report.isClean() || !settings.shrinks()) {
      return report;
    }
    if (report.brokePlanningLimit()) {
      // Each smaller case that fails would use up the limit once more, and perhaps leave a thread
      // behind.
      return report.withSmallest(c);
    }
    CheckSettings quick = settings.only(report.findings().getFirst().rule());
    CollectiveCase smallest =
        Shrinker.shrink(
            c,
            smaller ->
                !new VirtualCluster(smaller.comm(), quick.withSeed(smaller.seed()), planner)
                    .check(smaller, parts(smaller, executors), "")
                    .isClean());
    return report.withSmallest(smallest);
  }

  private <P extends OpParam> P viewOf(P param, int rank) {
    // withComm returns a record of the type it is called on, as in every implementation of OpParam.
    @SuppressWarnings("unchecked")
    P view = (P) param.withComm(comm.withRank(rank));
    return view;
  }

  private static String subject(CollectiveCase c, List<? extends CollExecutorBase<?>> executors) {
    String operation = c.operation().label();
    return operation
        + " "
        + AlgorithmName.withClass(executors.getFirst())
        + c.toString().substring(operation.length());
  }

  private String name(CollExecutorBase<?> executor, OpParam param) {
    return "%s %s on %s ranks, %d bytes, %s %s"
        .formatted(
            param.operation(),
            AlgorithmName.withClass(executor),
            comm.topology(),
            param.messageBytes(),
            comm.mode().label(),
            comm.protocol().label());
  }
}
