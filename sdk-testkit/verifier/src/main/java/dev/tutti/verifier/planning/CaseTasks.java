package dev.tutti.verifier.planning;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/** Chooses the executors that plan the ranks of a case. */
public final class CaseTasks {

  private CaseTasks() {}

  /**
   * The executor for an operation.
   *
   * @param executors one executor, or for a transfer the sender and the receiver
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none for the
   *     operation
   */
  public static CollExecutorBase<?> executorFor(
      Operation operation, List<? extends CollExecutorBase<?>> executors) {
    if (executors.size() == 1) {
      return executors.getFirst();
    }
    for (CollExecutorBase<?> executor : executors) {
      if (Operation.ofExecutor(executor.getClass()) == operation) {
        return executor;
      }
    }
    throw new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "the case needs an executor for %s; give one along with %s",
        operation,
        executors.stream().map(AlgorithmName::withClass).toList());
  }
}
