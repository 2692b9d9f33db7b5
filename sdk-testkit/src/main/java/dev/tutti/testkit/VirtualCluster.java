package dev.tutti.testkit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.PlanRecorder;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks that exists only on paper: records the plans of executors and checks them.
 * Immutable and thread-safe.
 *
 * <p>A check asks every rank for its plan twice, judges the plan for all schedules at once ({@link
 * PlanChecker}), then runs it on real data in several random schedules ({@link PlanInterpreter})
 * and compares the results with an independent computation ({@link Reference}). Operations that can
 * run in place are checked both ways. All findings are collected.
 */
public final class VirtualCluster {

  private final Topology topology;
  private final CommInfo comm;
  private final int schedules;
  private final long seed;
  private final boolean hasSpecials;

  private VirtualCluster(Builder builder) {
    this.topology = builder.topology;
    this.comm =
        new CommInfo(
            0,
            topology,
            builder.mode,
            builder.protocol,
            builder.determinism,
            builder.cclBufferSize);
    this.schedules = builder.schedules;
    this.seed = builder.seed;
    this.hasSpecials = builder.hasSpecials;
  }

  /** Starts a cluster in GRAPH mode over DIRECT links. */
  public static Builder builder(Topology topology) {
    return new Builder(topology);
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
    return checkRanks(executor, view -> viewOf(param, view.rank()));
  }

  /**
   * Checks an executor with a request for each rank, as all-to-all with varying counts needs it.
   *
   * @param params gives the request of the rank whose view of the group it gets
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

  private Report check(List<@Nullable Part<?>> parts, String subject) {
    return new ClusterCheck(comm, subject, schedules, seed, hasSpecials).run(parts);
  }

  private <P extends OpParam> P viewOf(P param, int rank) {
    // withComm returns the record it is called on, as every implementation of OpParam does.
    @SuppressWarnings("unchecked")
    P view = (P) param.withComm(comm.withRank(rank));
    return view;
  }

  private String name(CollExecutorBase<?> executor, OpParam param) {
    return "%s %s on %s ranks, %d bytes, %s %s"
        .formatted(
            param.operation(),
            executor.getClass().getSimpleName(),
            topology,
            param.messageBytes(),
            comm.mode().label(),
            comm.protocol().label());
  }

  /** Collects what a cluster is like. */
  public static final class Builder {

    private final Topology topology;
    private WorkflowMode mode = WorkflowMode.GRAPH;
    private Protocol protocol = Protocol.DIRECT;
    private Determinism determinism = Determinism.NONE;
    private long cclBufferSize = CommInfo.DEFAULT_CCL_BUFFER_SIZE;
    private int schedules = 4;
    private long seed = 1;
    private boolean hasSpecials;

    private Builder(Topology topology) {
      this.topology = topology;
    }

    /** How the caller's memory is reached; GRAPH unless set. */
    public Builder mode(WorkflowMode newMode) {
      this.mode = newMode;
      return this;
    }

    /** How bytes cross the links; DIRECT unless set. */
    public Builder protocol(Protocol newProtocol) {
      this.protocol = newProtocol;
      return this;
    }

    /** The reproducibility that is demanded; none unless set. */
    public Builder determinism(Determinism newDeterminism) {
      this.determinism = newDeterminism;
      return this;
    }

    /** The size of each CCL buffer in bytes. */
    public Builder cclBufferSize(long newSize) {
      this.cclBufferSize = newSize;
      return this;
    }

    /** The number of runs on real data, each with its own order and data; 4 unless set. */
    public Builder schedules(int newSchedules) {
      if (newSchedules < 0) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "schedules must be 0 or more. Actual: %d", newSchedules);
      }
      this.schedules = newSchedules;
      return this;
    }

    /** Chooses orders and data; 1 unless set. */
    public Builder seed(long newSeed) {
      this.seed = newSeed;
      return this;
    }

    /** Puts NaN, infinities and zeros of both signs among floating-point inputs. */
    public Builder specials(boolean isWanted) {
      this.hasSpecials = isWanted;
      return this;
    }

    /** The cluster. */
    public VirtualCluster build() {
      return new VirtualCluster(this);
    }
  }
}
