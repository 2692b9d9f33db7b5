package dev.tutti.verifier.matrix;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.GateLimits;
import dev.tutti.verifier.gate.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Asks executors which cases they take. What fails to answer is reported with its case. */
public final class Acceptance {

  private final List<CollExecutorBase<?>> executors;

  /**
   * Asks some executors.
   *
   * @param executors one, or the sender and the receiver of a transfer
   */
  public Acceptance(List<CollExecutorBase<?>> executors) {
    this.executors = List.copyOf(executors);
  }

  /**
   * The cases of a matrix for these executors, as {@link MatrixCases#covering(Matrix,
   * java.util.function.Predicate)} gives them; those of {@link MatrixCases#covering(Matrix)} if the
   * executors do not answer.
   *
   * @param limit the longest that all answers together may take
   */
  public List<CollectiveCase> cases(Matrix matrix, Duration limit) {
    Outcome<List<CollectiveCase>> asked =
        Gate.of(GateLimits.of(limit))
            .runUninterrupted(() -> MatrixCases.covering(matrix, this::takes));
    return asked instanceof Outcome.Returned<List<CollectiveCase>>(List<CollectiveCase> cases)
        ? cases
        : MatrixCases.covering(matrix);
  }

  /** Whether all ranks say yes. Plain calls of the executors: call it inside a gate. */
  public boolean takes(CollectiveCase c) {
    try {
      return c.params().stream()
          .filter(Objects::nonNull)
          .allMatch(
              param ->
                  executors.stream()
                      .filter(executor -> isFor(executor, param))
                      .allMatch(executor -> supports(executor, param).isSupported()));
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static boolean isFor(CollExecutorBase<?> executor, OpParam param) {
    return Operation.ofExecutor(executor.getClass()) == param.operation();
  }

  // isFor has compared the operations, and each has one class of requests.
  @SuppressWarnings("unchecked")
  private static <P extends OpParam> Support supports(CollExecutorBase<P> executor, OpParam param) {
    return executor.supports((P) param);
  }
}
