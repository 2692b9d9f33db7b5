package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the ranks of a group agree on the operations that they run. */
public interface OperationAgreement {

  /**
   * Determines what the ranks run. One thread calls this while all of them wait.
   *
   * @param number the number of the operation
   * @param parts each rank's part, by place
   * @return what they run, or null if there is nothing to run
   * @throws TuttiException the error that all ranks get instead; no data has moved
   */
  @Nullable RankBinding agree(long number, List<QueuedOperation> parts);

  /**
   * Proposes the operation of this process's ranks to the ranks of other processes, without waiting
   * for them. {@link OperationQueues#decided} or {@link OperationQueues#fail} completes the
   * proposal.
   *
   * @param parts the parts of this process's ranks, by place
   */
  void propose(long number, List<QueuedOperation> parts);

  /**
   * The binding that this process's ranks can run without another agreement, if processes share no
   * memory; null if all ranks must agree. One thread calls this while all of them wait.
   *
   * @param number the operation, which all of them have started
   */
  default @Nullable RankBinding known(long number) {
    return null;
  }

  /**
   * Sends a failure that occurred in this process to the ranks of other processes, if processes
   * share no memory. Does nothing by default.
   *
   * @param number the operation; 0 for all that have not ended
   */
  default void tell(long number, TuttiException failure) {}

  /** The error of all ranks after an exception in the part of one rank. */
  TuttiException failed(long number, Throwable thrown);

  /** Called after {@link #failed}, once the failure of the operation is noted. */
  void broken(TuttiException failure);
}
