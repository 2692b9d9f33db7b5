package dev.tutti.host.capture;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rank in a process of its own adds to a capture, or does with one, as a part in an
 * operation of its group. The processes agree on it in three rounds: each rank proposes; the first
 * rank plans, and all follow; the first rank completes what all have made ready, and all commit to
 * it. This one adds nothing, so it only has all ranks do the same.
 *
 * <p>What a method throws ends the operation for all ranks. A method is called by one thread after
 * another.
 */
public interface CaptureStep {

  /**
   * What must be the same on all ranks.
   *
   * @param operation the operation's name
   */
  default String name(String operation) {
    return operation;
  }

  /** Whether it may run what was agreed on last, without another agreement. */
  default boolean isCurrent() {
    return false;
  }

  /** Adds what this rank brings. */
  default void propose(BodyWriter proposal) {}

  /**
   * What the first rank makes of it.
   *
   * @param proposals by place
   */
  default void plan(List<BodyReader> proposals, BodyWriter plan) {}

  /** Does what the first rank has planned, and adds what others must know of it. */
  default void follow(BodyReader plan, BodyWriter ready) {}

  /**
   * What the first rank tells all in the end.
   *
   * @param ready what each rank has added, by place
   */
  default void complete(List<BodyReader> ready, BodyWriter commit) {}

  /** All ranks have followed; what they run now, or null if there is nothing to run. */
  default @Nullable RankBinding commit(BodyReader commit) {
    return null;
  }

  /**
   * The operation has ended for this rank.
   *
   * @param number of the operation
   * @param failure null if it has not failed
   */
  default void ended(long number, @Nullable TuttiException failure) {}
}
