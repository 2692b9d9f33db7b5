package dev.tutti.host.capture;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a capture that the ranks of several processes make together, as an operation of their
 * group. The processes agree on it in three rounds: each rank proposes; the first rank plans, and
 * all follow; the first rank completes the results of all, and all commit to them. The default
 * methods add nothing, so a step that only has them makes all ranks wait for each other.
 *
 * <p>If processes share no memory, the ranks of one process can make a step together: then all of
 * them have the same object, whose methods are called once. So the lists by place have only one
 * entry for these ranks.
 *
 * <p>An exception of a method ends the operation for all ranks. Only one thread at a time calls the
 * methods.
 */
public interface CaptureStep {

  /**
   * The name of the step, which must be the same on all ranks.
   *
   * @param operation the operation's name
   */
  default String name(String operation) {
    return operation;
  }

  /** Whether the ranks may run the last agreement again, without another one. */
  default boolean isCurrent() {
    return false;
  }

  /** Adds the contribution of this rank. */
  default void propose(BodyWriter proposal) {}

  /**
   * Makes the plan, in the first rank.
   *
   * @param proposals the proposals by place
   */
  default void plan(List<BodyReader> proposals, BodyWriter plan) {}

  /** Follows the plan of the first rank, and adds the facts that other ranks must know. */
  default void follow(BodyReader plan, BodyWriter ready) {}

  /**
   * Makes the final message of the first rank to all ranks.
   *
   * @param ready the facts that each rank has added, by place
   */
  default void complete(List<BodyReader> ready, BodyWriter commit) {}

  /**
   * Called when all ranks have followed. Returns the binding that they run now, or null if there is
   * nothing to run.
   */
  default @Nullable RankBinding commit(BodyReader commit) {
    return null;
  }

  /**
   * Called when the operation has ended for this rank.
   *
   * @param number the number of the operation
   * @param failure null if it has not failed
   */
  default void ended(long number, @Nullable TuttiException failure) {}
}
