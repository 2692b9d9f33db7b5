package dev.tutti.testkit.junit;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.planning.AlgorithmName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The executors under test.
 *
 * @param executors one executor, or the sender and the receiver of a transfer, in this order
 */
record Subject(List<CollExecutorBase<?>> executors) {

  Subject {
    executors = List.copyOf(executors);
    if (executors.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "there is no executor to test; name its class");
    }
  }

  static Subject of(CollExecutorBase<?>... executors) {
    return new Subject(List.of(executors));
  }

  CollExecutorBase<?> first() {
    return executors.getFirst();
  }

  Operation operation() {
    return Operation.ofExecutor(first().getClass());
  }

  /** The algorithm's name; the class name if it has none. */
  String algorithm() {
    return AlgorithmName.of(first().getClass());
  }

  /** For example {@code "allreduce ring ranks=7 count=1000 float32 sum op-base rdma"}. */
  String nameOf(CollectiveCase c) {
    String operation = c.operation().label();
    return operation + " " + algorithm() + c.toString().substring(operation.length());
  }

  /** The plan of a case, with the authors' lines. */
  GroupPlan record(CollectiveCase c) {
    List<RankProgram> programs = new ArrayList<>();
    List<@Nullable OpParam> params = c.params();
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      programs.add(
          param == null
              ? RankProgram.idle(c.comm().withRank(rank))
              : program(executorOf(param.operation()), param));
    }
    return new PlanRecorder().record(nameOf(c), programs);
  }

  private CollExecutorBase<?> executorOf(Operation operation) {
    return executors.stream()
        .filter(executor -> Operation.ofExecutor(executor.getClass()) == operation)
        .findFirst()
        .orElseThrow(
            () ->
                new TuttiException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a transfer needs an executor for %s beside %s",
                    operation,
                    first().getClass().getName()));
  }

  // The executor was chosen by the operation, and each operation has one class of requests.
  @SuppressWarnings("unchecked")
  private static <P extends OpParam> RankProgram program(
      CollExecutorBase<P> executor, OpParam param) {
    return RankProgram.of(executor, (P) param);
  }
}
