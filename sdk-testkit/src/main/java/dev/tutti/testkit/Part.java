package dev.tutti.testkit;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.RankProgram;

/**
 * One rank's part in a checked operation.
 *
 * @param executor the algorithm
 * @param param the request as the rank sees it
 */
record Part<P extends OpParam>(CollExecutorBase<P> executor, P param) {

  Support supports() {
    return executor.supports(param);
  }

  RankProgram program() {
    return RankProgram.of(executor, param);
  }

  CommInfo comm() {
    return param.comm();
  }

  /** The same with separate buffers or one buffer, if the operation can choose; else this. */
  Part<P> inPlace(boolean inPlace) {
    OpParam changed = InPlace.of(param, inPlace);
    if (changed == null || param.inPlace() == inPlace) {
      return this;
    }
    // InPlace returns the record it is given.
    @SuppressWarnings("unchecked")
    P same = (P) changed;
    return new Part<>(executor, same);
  }
}
