package dev.tutti.verifier.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.GroupRecording;
import org.jspecify.annotations.Nullable;

/**
 * The result of asking for a plan.
 *
 * @param isSupported whether all ranks accept the request
 * @param plan the plan, without source lines; null if the request is refused or planning failed
 * @param recording records single ranks of that plan again; null if there is none
 * @param declared what the executors declare about the operation
 */
public record Planned(
    boolean isSupported,
    @Nullable GroupPlan plan,
    @Nullable GroupRecording recording,
    Declared declared) {

  static final Planned REFUSED = new Planned(false, null, null, Declared.NOTHING);
  static final Planned FAILED = new Planned(true, null, null, Declared.NOTHING);
}
