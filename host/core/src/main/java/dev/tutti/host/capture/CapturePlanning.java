package dev.tutti.host.capture;

import dev.tutti.host.buffers.BoundBuffers;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.planning.SelectedPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Chooses the plans of captured operations: the first rank chooses, and the others make the same
 * plans. Not thread-safe.
 */
final class CapturePlanning {

  private final GroupCore core;
  private final GroupPlans plans;

  /** The rank that represents this process. */
  private final int rank;

  /** The plans that this process has chosen for all, by order. */
  private final Map<CaptureOrder, SelectedPlan> chosen = new HashMap<>();

  CapturePlanning(GroupCore core, GroupPlans plans, int rank) {
    this.core = core;
    this.plans = plans;
    this.rank = rank;
  }

  /** Chooses the plan of each operation, and writes the choices. */
  void choose(MergedCalls merged, BodyWriter plan) {
    chosen.clear();
    merged
        .all(core.names())
        .forEach(
            (order, call) -> {
              SelectedPlan planned = current(call);
              chosen.put(order, planned);
              ChosenPlan.of(planned).write(plan);
            });
  }

  /** The plan with which a call was captured, or the plan that replaces it. */
  private SelectedPlan current(MergedCalls.Merged call) {
    SelectedPlan planned = call.planned();
    if (planned == null) {
      ChosenPlan wanted = call.chosen();
      planned = plans.planned(call.call(), wanted.options(call.options()).ofAllRanks(), false);
    }
    while (planned.generation().isRetired()) {
      planned = plans.planAgain(planned);
    }
    return planned;
  }

  /**
   * The operations with the plans that were chosen for them.
   *
   * @param plan the choices, as {@link #choose} has written them
   * @param places gets the place of each operation in the result
   */
  List<RecordedCall> follow(
      MergedCalls merged, BodyReader plan, Map<CaptureOrder, Integer> places) {
    return recorded(merged, places, (order, call) -> planned(order, call, ChosenPlan.read(plan)));
  }

  private SelectedPlan planned(CaptureOrder order, MergedCalls.Merged call, ChosenPlan wanted) {
    SelectedPlan known = chosen.get(order);
    known = known == null ? call.planned() : known;
    if (known != null && !known.generation().isRetired() && ChosenPlan.of(known).equals(wanted)) {
      return known;
    }
    boolean isInPlace = known != null && known.key().inPlace();
    SelectedPlan planned =
        plans.planned(call.call(), wanted.options(call.options()).ofAllRanks(), isInPlace);
    wanted.requireSame(planned, core.names(), 0, rank);
    return planned;
  }

  /** The operations with checked buffers, and the plans that a function gives. */
  List<RecordedCall> recorded(
      MergedCalls merged,
      Map<CaptureOrder, Integer> places,
      BiFunction<CaptureOrder, MergedCalls.Merged, SelectedPlan> planOf) {
    List<RecordedCall> calls = new ArrayList<>();
    merged
        .all(core.names())
        .forEach(
            (order, call) -> {
              SelectedPlan planned = planOf.apply(order, call);
              places.put(order, calls.size());
              calls.add(
                  new RecordedCall(
                      planned,
                      call.options(),
                      BoundBuffers.check(
                          planned, call.inputs(), call.outputs(), core.names(), core.mappings())));
            });
    return calls;
  }
}
