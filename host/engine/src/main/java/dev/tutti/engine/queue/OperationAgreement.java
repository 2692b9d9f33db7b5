package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has the ranks of a group agree on what they run. */
public interface OperationAgreement {

  /**
   * Finds out what the ranks run, by one thread while all of them wait.
   *
   * @param number the number of the operation
   * @param parts each rank's part, by place
   * @return what they run, or null if there is nothing to run
   * @throws TuttiException what all ranks get instead; nothing has moved
   */
  @Nullable RankBinding agree(long number, List<QueuedOperation> parts);

  /**
   * Lets the ranks of other processes know what those of this process want to run, by a thread that
   * does not wait for them. {@link OperationQueues#decided} or {@link OperationQueues#fail} ends
   * what this begins.
   *
   * @param parts of the ranks of this process, by place
   */
  void propose(long number, List<QueuedOperation> parts);

  /**
   * What the ranks of this process run without another agreement, where processes share no memory;
   * null if all ranks must agree. Asked by one thread while all of them wait.
   *
   * @param number the operation, which all of them have started
   */
  default @Nullable RankBinding known(long number) {
    return null;
  }

  /**
   * Tells the ranks of other processes, where they share no memory, of a failure that was noted
   * here first. Does nothing unless said otherwise.
   *
   * @param number the operation; 0 for all that have not ended
   */
  default void tell(long number, TuttiException failure) {}

  /** The error of all ranks after the part of one has thrown something. */
  TuttiException failed(long number, Throwable thrown);

  /** Called after {@link #failed}, once the failure of the operation is noted. */
  void broken(TuttiException failure);
}
