package dev.tutti.host;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import org.jspecify.annotations.Nullable;

/**
 * Everything a plan depends on inside one group: requests with equal keys share a plan. There are
 * no addresses in it.
 *
 * @param call the operation
 * @param inPlace whether input and output are one memory
 * @param algorithm the name that was asked for, or null
 * @param parameters values for the algorithm's parameters
 * @param mode how the caller's memory is reached
 * @param protocol how bytes cross links
 * @param determinism the least reproducibility
 * @param tag the caller's name, which executors can see
 * @param layouts where the data lies in the buffers
 */
record PlanKey(
    CollectiveCall call,
    boolean inPlace,
    @Nullable String algorithm,
    AlgOptions parameters,
    WorkflowMode mode,
    Protocol protocol,
    Determinism determinism,
    String tag,
    Layouts layouts) {

  /** Whether a run leaves a part of the outputs as it was. */
  boolean keepsOutput() {
    return call.operation() == Operation.EXCLUSIVE_SCAN || !layouts.output().isContiguous();
  }
}
