package dev.tutti.mutation;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.verifier.PlanVerifier;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One case of the algorithm whose mutants are judged. Records its plan, and judges other plans for
 * it.
 */
final class Subject {

  private final CollectiveCase c;
  private final List<@Nullable OpParam> params;
  private final List<CollExecutorBase<?>> executors;

  Subject(CollectiveCase c, List<CollExecutorBase<?>> executors) {
    this.c = c;
    this.params = c.params();
    this.executors = executors;
  }

  /** Whether all executors accept the case. */
  boolean isSupported() {
    return params.stream()
        .filter(Objects::nonNull)
        .allMatch(param -> executorOf(param).supports(param).isSupported());
  }

  GroupPlan record() {
    return record((rank, request) -> request);
  }

  /**
   * Whether the executors make the same plan, action by action, with changed resource requests, and
   * stay within the changed resources.
   */
  boolean isPlanOf(RequestMutants.Change change, GroupPlan plan) {
    try {
      GroupPlan changed = record(change);
      changed.check();
      for (RankPlan rank : plan.ranks()) {
        RankPlan withResourcesOfOriginal =
            new RankPlanBuilder(rank).appendAll(changed.rank(rank.rank())).build();
        if (!withResourcesOfOriginal.equals(rank)) {
          return false;
        }
      }
      return true;
    } catch (TuttiException e) {
      return false;
    }
  }

  private GroupPlan record(RequestMutants.Change change) {
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      programs.add(
          param == null
              ? RankProgram.idle(c.comm().withRank(rank))
              : RankProgram.of(changed(change, param, OpParam.class), param));
    }
    return new PlanRecorder().withSources(false).record(c.toString(), programs);
  }

  List<Finding> judge(GroupPlan plan) {
    Determinism declared =
        executors.stream()
            .map(CollExecutorBase::determinism)
            .min(Determinism::compareTo)
            .orElse(Determinism.NONE);
    return PlanVerifier.verify(plan, params, declared, 1);
  }

  /** The request of each rank, in rank order; null for a rank that takes no part. */
  List<@Nullable AlgResourceRequest> requests() {
    List<@Nullable AlgResourceRequest> requests = new ArrayList<>();
    for (OpParam param : params) {
      requests.add(param == null ? null : executorOf(param).calcResRequest(param));
    }
    return requests;
  }

  /** Judges the case with changed resource requests, through a check as an author runs it. */
  List<Finding> judge(RequestMutants.Change change) {
    VirtualCluster cluster = VirtualCluster.builder(c).staticOnly().shrink(false).build();
    return transfer(cluster, change).findings();
  }

  private Report transfer(VirtualCluster cluster, RequestMutants.Change change) {
    for (OpParam param : params) {
      if (param instanceof SendParam send) {
        return cluster.checkTransfer(
            changed(change, send, SendParam.class),
            changed(change, receive(send.dstRank()), ReceiveParam.class),
            send.comm().rank(),
            send.dstRank(),
            c.dataType(),
            c.count());
      }
    }
    OpParam any = Objects.requireNonNull(params.getFirst());
    return cluster.checkRanks(
        changed(change, any, OpParam.class),
        comm -> Objects.requireNonNull(params.get(comm.rank())));
  }

  private OpParam receive(int rank) {
    return Objects.requireNonNull(params.get(rank));
  }

  // The executor accepts the class of the request, which is P; P may be OpParam if the class does
  // not matter.
  @SuppressWarnings({"unchecked", "UnusedVariable"})
  private <P extends OpParam> CollExecutorBase<P> changed(
      RequestMutants.Change change, OpParam param, Class<P> type) {
    return new ChangedRequest<>((CollExecutorBase<P>) executorOf(param), change);
  }

  /** The executor of a request's operation. */
  private CollExecutorBase<OpParam> executorOf(OpParam param) {
    for (CollExecutorBase<?> executor : executors) {
      if (executors.size() == 1 || Operation.ofExecutor(executor.getClass()) == param.operation()) {
        // Each operation has one class of requests, and this request has the executor's operation.
        @SuppressWarnings("unchecked")
        CollExecutorBase<OpParam> fitting = (CollExecutorBase<OpParam>) executor;
        return fitting;
      }
    }
    throw new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "the mutants of a transfer need an executor for %s; give one along with %s",
        param.operation(),
        executors.getFirst().getClass().getName());
  }

  @Override
  public String toString() {
    return c.toString();
  }
}
