package dev.tutti.verifier.purity;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.CaseTasks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes other requests to the same executors while a case is being planned: one that differs only
 * in count and root, and small ones that differ in almost everything. In larger groups, it asks
 * only one rank for the resources of the first request.
 */
final class InterleavedRequests {

  /** In groups this large or larger, a whole plan costs more than it reveals. */
  private static final int FEW_RANKS = 5;

  private static final PlanRecorder RECORDER = new PlanRecorder().withSources(false);

  private final CollectiveCase c;
  private final List<CollExecutorBase<?>> executors;

  private final boolean isThorough;

  /**
   * Prepares requests.
   *
   * @param isThorough whether to plan the larger request completely if the group is small
   */
  InterleavedRequests(CollectiveCase c, List<CollExecutorBase<?>> executors, boolean isThorough) {
    this.isThorough = isThorough;
    this.c = c;
    this.executors = executors;
  }

  /**
   * Makes the requests. Ignores all answers and exceptions: they are judged when the executor plans
   * such a case itself.
   */
  void ask() {
    boolean unused = plans(other()) || plans(small());
    int last = c.comm().rankSize() - 1;
    CollectiveCase larger = c.withCount(2 * c.count() + 7).withRoot(last - c.root());
    if (isThorough && last < FEW_RANKS) {
      unused = plans(larger);
    } else {
      needs(larger.params().get(last));
    }
  }

  private void needs(@Nullable OpParam param) {
    try {
      if (param != null) {
        part(param).needs();
      }
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      // Ignored; see ask().
    }
  }

  private CollectiveCase small() {
    Topology topology = Topology.flat(c.comm().rankSize() == 3 ? 2 : 3);
    return c.withTopology(topology).withCount(c.count() % 32 + 5).withRoot(1);
  }

  private CollectiveCase other() {
    CommInfo comm = c.comm();
    CollectiveCase other =
        small()
            .withMode(comm.mode() == WorkflowMode.GRAPH ? WorkflowMode.OP_BASE : WorkflowMode.GRAPH)
            .withProtocol(comm.protocol() == Protocol.DIRECT ? Protocol.RDMA : Protocol.DIRECT)
            .withInPlace(!c.inPlace());
    DataType type = c.dataType() == DataType.INT32 ? DataType.FLOAT32 : DataType.INT32;
    return c.reduceOp().supports(type) ? other.withDataType(type) : other;
  }

  /** Plans a case; false if the executor refuses it or fails. */
  private boolean plans(CollectiveCase another) {
    try {
      for (OpParam param : another.params()) {
        if (param != null && !part(param).supports().isSupported()) {
          return false;
        }
      }
      GroupPlan _ = RECORDER.record("another request", programs(another, executors));
      return true;
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      return false;
    }
  }

  /** The programs of all ranks for a case. */
  static List<RankProgram> programs(CollectiveCase c, List<CollExecutorBase<?>> executors) {
    List<RankProgram> programs = new ArrayList<>();
    List<@Nullable OpParam> params = c.params();
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      programs.add(
          param == null
              ? RankProgram.idle(c.comm().withRank(rank))
              : RankPart.of(CaseTasks.executorFor(param.operation(), executors), param).program());
    }
    return programs;
  }

  private RankPart<?> part(OpParam param) {
    return RankPart.of(CaseTasks.executorFor(param.operation(), executors), param);
  }

  /** An executor with a request. */
  record RankPart<P extends OpParam>(CollExecutorBase<P> executor, P param) {

    /** Both must be of one operation, which has one class of requests. */
    @SuppressWarnings("unchecked")
    static RankPart<?> of(CollExecutorBase<?> executor, OpParam param) {
      return new RankPart<>((CollExecutorBase<OpParam>) executor, param);
    }

    Support supports() {
      return executor.supports(param);
    }

    void needs() {
      if (executor.supports(param).isSupported()) {
        AlgResourceRequest _ = executor.calcResRequest(param);
      }
    }

    RankProgram program() {
      return RankProgram.of(executor, param);
    }

    /**
     * The same program with the resource request computed now, instead of when the program runs.
     */
    RankProgram fixed() {
      return RankProgram.of(
          new FixedRequestExecutor<>(executor, executor.calcResRequest(param)), param);
    }
  }
}
