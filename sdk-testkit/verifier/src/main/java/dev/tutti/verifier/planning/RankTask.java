package dev.tutti.verifier.planning;

import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The questions to one rank. Immutable.
 *
 * @param supports asks the executor whether it supports the request; null for a rank that takes no
 *     part
 * @param program the executor with the request
 */
public record RankTask(@Nullable Supplier<@Nullable Support> supports, RankProgram program) {

  /** A rank that takes part. */
  public static <P extends OpParam> RankTask of(CollExecutorBase<P> executor, P param) {
    return new RankTask(() -> executor.supports(param), RankProgram.of(executor, param));
  }

  /** A rank that takes no part. */
  public static RankTask idle(CommInfo comm) {
    return new RankTask(null, RankProgram.idle(comm));
  }
}
