package dev.tutti.verifier;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.planning.RankTask;
import dev.tutti.verifier.semantics.InPlace;
import java.util.List;
import java.util.Optional;

/**
 * One rank's part in a checked operation.
 *
 * @param executor the algorithm
 * @param param the request as the rank sees it
 */
record Part<P extends OpParam>(CollExecutorBase<P> executor, P param) {

  /**
   * A part whose type of request is known only at run time; the executor must be one for the
   * request's operation.
   */
  static Part<?> of(CollExecutorBase<?> executor, OpParam param) {
    // The caller has compared the executor's operation with the request's.
    @SuppressWarnings("unchecked")
    CollExecutorBase<OpParam> fitting = (CollExecutorBase<OpParam>) executor;
    return new Part<>(fitting, param);
  }

  RankTask task() {
    return RankTask.of(executor, param);
  }

  Optional<Cost> cost() {
    return executor.cost(param);
  }

  /** The declared cost of an operation in which every rank runs this executor. */
  Optional<Cost> groupCost(List<OpParam> params) {
    // Requests of one operation are instances of one record.
    @SuppressWarnings("unchecked")
    List<P> same = (List<P>) params;
    return executor.groupCost(same);
  }

  CommInfo comm() {
    return param.comm();
  }

  /**
   * The same part in place or out of place, if the operation supports both; otherwise this part.
   */
  Part<P> inPlace(boolean inPlace) {
    OpParam changed = InPlace.of(param, inPlace);
    if (changed == null || param.inPlace() == inPlace) {
      return this;
    }
    // InPlace returns a record of the type it is given.
    @SuppressWarnings("unchecked")
    P same = (P) changed;
    return new Part<>(executor, same);
  }
}
