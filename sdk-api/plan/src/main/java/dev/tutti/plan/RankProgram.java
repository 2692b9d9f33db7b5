package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in an operation: the executor that plans it and the request as that rank sees it,
 * or nothing if the rank takes no part, as in a transfer between two others. Immutable.
 */
public final class RankProgram {

  private static final String REBUILD =
      "; compile it against the sdk-api that it runs with, and put every other library that it uses"
          + " into its jar";

  private final CommInfo comm;
  private final @Nullable OpParam param;
  private final @Nullable Part<?> part;

  private record Part<P extends OpParam>(CollExecutorBase<P> executor, P param) {
    AlgResourceRequest request() {
      return executor.calcResRequest(param);
    }

    void orchestrate(AlgResourceResponse resources) {
      executor.orchestrate(param, resources);
    }
  }

  private RankProgram(CommInfo comm, @Nullable OpParam param, @Nullable Part<?> part) {
    this.comm = comm;
    this.param = param;
    this.part = part;
  }

  /** A rank that takes part. */
  public static <P extends OpParam> RankProgram of(CollExecutorBase<P> executor, P param) {
    Arguments.require(executor, "executor");
    Arguments.require(param, "param");
    return new RankProgram(param.comm(), param, new Part<>(executor, param));
  }

  /** A rank that takes no part. */
  public static RankProgram idle(CommInfo comm) {
    Arguments.require(comm, "comm");
    return new RankProgram(comm, null, null);
  }

  /** The group as the rank sees it. */
  public CommInfo comm() {
    return comm;
  }

  /** The request, or null if the rank takes no part. */
  public @Nullable OpParam param() {
    return param;
  }

  /** Whether the rank's input and output are the same memory. */
  boolean inPlace() {
    return param != null && param.inPlace();
  }

  long inputBytes() {
    return param == null ? 0 : param.inputBytes();
  }

  long outputBytes() {
    return param == null ? 0 : param.outputBytes();
  }

  /** The rank's plan if the executor is a {@link PlanExecutor}, else null. */
  @Nullable RankPlan known() {
    return part != null && part.executor() instanceof PlanExecutor<?> executor
        ? executor.rank(comm.rank())
        : null;
  }

  AlgResourceRequest request() {
    return part == null ? AlgResourceRequest.none() : part.request();
  }

  void orchestrate(AlgResourceResponse resources) {
    if (part != null) {
      part.orchestrate(resources);
    }
  }

  String executorName() {
    return part == null ? "no executor" : part.executor().getClass().getName();
  }

  /**
   * An executor's own {@link TuttiException} keeps its code; everything else becomes
   * EXECUTOR_FAILED.
   */
  TuttiException failed(String method, Throwable e) {
    ErrorCode code = e instanceof TuttiException t ? t.code() : ErrorCode.EXECUTOR_FAILED;
    String line = SourceLines.firstOutsideSdk(e);
    return new TuttiException(
        code,
        e,
        "%s of %s failed for rank %d%s: %s%s",
        method,
        executorName(),
        comm.rank(),
        line.isEmpty() ? "" : " at " + line,
        e instanceof TuttiException ? e.getMessage() : e.toString(),
        isOfOtherClasses(e) ? REBUILD : "");
  }

  /** Whether classes are missing or differ from those that the executor was compiled against. */
  private static boolean isOfOtherClasses(Throwable e) {
    return e instanceof IncompatibleClassChangeError
        || (e instanceof NoClassDefFoundError && e.getCause() instanceof ClassNotFoundException);
  }
}
