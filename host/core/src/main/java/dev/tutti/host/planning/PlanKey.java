package dev.tutti.host.planning;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.config.HostSettings;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.WorkflowMode;
import org.jspecify.annotations.Nullable;

/**
 * All facts that determine a plan inside one group: requests with equal keys share a plan. A key
 * has no addresses.
 *
 * @param call the operation
 * @param inPlace whether input and output are the same memory
 * @param algorithm the requested name, or null
 * @param parameters values for the algorithm's parameters
 * @param mode how ranks reach the callers' buffers
 * @param protocols how bytes cross links
 * @param determinism the required reproducibility
 * @param tag the caller's name, which executors can see
 * @param layouts the positions of the data in the buffers
 * @param averages whether sums are divided by the number of ranks
 */
public record PlanKey(
    CollectiveCall call,
    boolean inPlace,
    @Nullable String algorithm,
    AlgOptions parameters,
    WorkflowMode mode,
    Protocols protocols,
    Determinism determinism,
    String tag,
    Layouts layouts,
    boolean averages) {

  /**
   * The key of a call, with the defaults filled in; without a mode, all ranks are assumed to reach
   * all buffers.
   */
  public static PlanKey of(
      HostSettings settings, CollectiveCall call, CallOptions options, boolean inPlace) {
    WorkflowMode mode = options.mode();
    return of(settings, call, options, inPlace, mode == null ? WorkflowMode.GRAPH : mode);
  }

  /** The key of a call in a mode, with the defaults filled in. */
  public static PlanKey of(
      HostSettings settings,
      CollectiveCall call,
      CallOptions options,
      boolean inPlace,
      WorkflowMode mode) {
    Determinism least = options.determinism();
    return new PlanKey(
        call,
        inPlace,
        options.algorithm(),
        options.parameters(),
        mode,
        options.protocols(),
        least == null ? settings.determinism() : least,
        options.tag(),
        Layouts.of(options),
        options.averages());
  }

  /** The same key with another call. */
  PlanKey withCall(CollectiveCall other) {
    return new PlanKey(
        other,
        inPlace,
        algorithm,
        parameters,
        mode,
        protocols,
        determinism,
        tag,
        layouts,
        averages);
  }

  /** Whether the plan runs without packing, unpacking or division. */
  boolean isPlain() {
    return layouts.areContiguous() && !averages;
  }

  /**
   * Refuses layouts and averages that an operation does not support.
   *
   * @throws dev.tutti.sdk.TuttiException with UNSUPPORTED or INVALID_COUNT
   */
  public static void check(CollectiveCall call, Layouts layouts, boolean averages) {
    layouts.check(call);
    if (averages) {
      Average.check(call);
    }
  }

  /** Refuses layouts and averages that the operation does not support. */
  public void check() {
    check(call, layouts, averages);
  }

  /** Whether a run leaves parts of the outputs unchanged. */
  public boolean keepsOutput() {
    return call.operation() == Operation.EXCLUSIVE_SCAN || !layouts.output().isContiguous();
  }
}
