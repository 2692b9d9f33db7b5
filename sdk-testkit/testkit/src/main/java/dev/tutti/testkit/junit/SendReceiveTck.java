package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;

/**
 * The standard tests of a sender and a receiver, which are tested together:
 *
 * <pre>{@code
 * class TransferTest implements SendReceiveTck<SendExecutor, ReceiveExecutor> {}
 * }</pre>
 *
 * @param <S> the sender; made by its constructor without parameters
 * @param <R> the receiver; made by its constructor without parameters
 */
public interface SendReceiveTck<
        S extends CollExecutorBase<SendParam>, R extends CollExecutorBase<ReceiveParam>>
    extends ExecutorTck {

  /** The sender to test; by default a new instance of {@code S}. */
  default CollExecutorBase<SendParam> sender() {
    // TypeArguments gives the class of S, which is an executor of sends.
    @SuppressWarnings("unchecked")
    CollExecutorBase<SendParam> made =
        (CollExecutorBase<SendParam>)
            Executors.ofArgument(getClass(), SendReceiveTck.class, 0, "sender");
    return made;
  }

  /** The receiver to test; by default a new instance of {@code R}. */
  default CollExecutorBase<ReceiveParam> receiver() {
    // As above.
    @SuppressWarnings("unchecked")
    CollExecutorBase<ReceiveParam> made =
        (CollExecutorBase<ReceiveParam>)
            Executors.ofArgument(getClass(), SendReceiveTck.class, 1, "receiver");
    return made;
  }

  /**
   * Whether {@link CollExecutorBase#supports} should refuse a send; by default it should refuse
   * none.
   */
  default boolean refuses(SendParam param) {
    return false;
  }

  @Override
  default List<CollExecutorBase<?>> executors() {
    return List.of(sender(), receiver());
  }

  @Override
  default boolean isRefused(CollectiveCase c) {
    return c.params().stream().anyMatch(param -> param instanceof SendParam send && refuses(send));
  }
}
