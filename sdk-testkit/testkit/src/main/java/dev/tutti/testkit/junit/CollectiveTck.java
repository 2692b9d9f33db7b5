package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.Objects;

/**
 * The standard tests of an executor that all ranks run.
 *
 * @param <P> the request of its operation
 * @param <E> the executor; made by its constructor without parameters
 */
public interface CollectiveTck<P extends OpParam, E extends CollExecutorBase<P>>
    extends ExecutorTck {

  /** The executor to test; by default a new instance of {@code E}. */
  default CollExecutorBase<P> executor() {
    // TypeArguments gives the class of E, and E is an executor of P.
    @SuppressWarnings("unchecked")
    CollExecutorBase<P> made =
        (CollExecutorBase<P>) Executors.ofArgument(getClass(), CollectiveTck.class, 1, "executor");
    return made;
  }

  /**
   * Whether {@link CollExecutorBase#supports} should refuse a request; by default it should refuse
   * none. The test fails if the executor decides differently.
   *
   * @param param the request as rank 0 sees it
   */
  default boolean refuses(P param) {
    return false;
  }

  @Override
  default List<CollExecutorBase<?>> executors() {
    return List.of(executor());
  }

  @Override
  default boolean isRefused(CollectiveCase c) {
    // The matrix has cases of this operation only, and each has one class of requests.
    @SuppressWarnings("unchecked")
    P param = (P) Objects.requireNonNull(c.params().getFirst());
    return refuses(param);
  }
}
