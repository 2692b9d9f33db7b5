package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/** The source of the operations, which is also notified of their ends. */
interface OperationSource {

  /** Whether all ranks of a queue have started an operation. */
  boolean hasStarted(int queue, long number);

  /** The binding that all ranks of a queue bring, or null if they must agree on one. */
  @Nullable RankBinding brought(int queue, long number);

  /**
   * The binding that this process's ranks know without shared memory, or null; all have started.
   */
  @Nullable RankBinding known(long number);

  /** Makes all ranks agree; returns the binding to run, or null if there is nothing to run. */
  @Nullable RankBinding agree(long number);

  /** Proposes the operation of this process's rank to ranks in other processes. */
  void propose(long number);

  /** The error of all ranks after an exception in one rank's part. */
  TuttiException failed(long number, Throwable thrown);

  /** Called once a failure in the middle of the work has been noted. */
  void broken(TuttiException failure);

  /** Called when the ranks of a queue begin to run the agreed binding. */
  void begin(int queue, long number);

  /** Gives the operation back to the ranks of a queue. */
  void end(int queue, long number, @Nullable TuttiException failure);
}
