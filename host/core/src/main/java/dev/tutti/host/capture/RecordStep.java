package dev.tutti.host.capture;

import dev.tutti.host.buffers.Aliasing;
import dev.tutti.host.buffers.Aliasing.Relation;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds a rank's call to a capture: the ranks agree on it and plan it, but no data moves. The
 * addresses of the buffers do not matter yet.
 */
final class RecordStep implements CaptureStep {

  private static final Relation[] RELATIONS = Relation.values();

  private final RankRecording recording;
  private final GroupPlans plans;
  private final RankNames names;
  private final Where where;
  private final CollectiveCall call;
  private final CallOptions options;
  private final @Nullable MemorySegment input;
  private final @Nullable MemorySegment output;
  private @Nullable SelectedPlan planned;
  private long clock;

  /**
   * The meeting and the ranks of a call.
   *
   * @param meeting 0 for all ranks, else the pair
   * @param first the rank that chooses the plan for all
   * @param rank the rank that calls
   */
  record Where(int meeting, int first, int rank) {}

  RecordStep(
      RankRecording recording,
      GroupPlans plans,
      RankNames names,
      Where where,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    this.recording = recording;
    this.plans = plans;
    this.names = names;
    this.where = where;
    this.call = call;
    this.options = options;
    this.input = input;
    this.output = output;
  }

  @Override
  public String name(String operation) {
    return operation + " in a capture";
  }

  @Override
  public void propose(BodyWriter proposal) {
    proposal.number(recording.clock()).number(Relation.of(input, output).ordinal());
  }

  @Override
  public void plan(List<BodyReader> proposals, BodyWriter plan) {
    long latest = 0;
    Relation[] relations = new Relation[proposals.size()];
    for (int place = 0; place < relations.length; place++) {
      BodyReader proposal = proposals.get(place);
      latest = Math.max(latest, proposal.number());
      relations[place] = RELATIONS[proposal.count()];
    }
    boolean isInPlace = Aliasing.isInPlace(call.operation(), relations, names);
    SelectedPlan chosen = plans.planned(call, options.ofAllRanks(), isInPlace);
    planned = chosen;
    plan.number(latest + 1).number(isInPlace ? 1 : 0);
    ChosenPlan.of(chosen).write(plan);
  }

  @Override
  public void follow(BodyReader plan, BodyWriter ready) {
    clock = plan.number();
    boolean isInPlace = plan.number() != 0;
    if (planned == null) {
      ChosenPlan chosen = ChosenPlan.read(plan);
      SelectedPlan own = plans.planned(call, chosen.options(options).ofAllRanks(), isInPlace);
      chosen.requireSame(own, names, where.first(), where.rank());
      planned = own;
    }
  }

  @Override
  public void ended(long number, @Nullable TuttiException failure) {
    SelectedPlan agreed = planned;
    if (failure == null && agreed != null) {
      CaptureOrder order = new CaptureOrder(clock, where.meeting(), number, 0);
      recording.add(new RankEntry(order, agreed, options, input, output));
    } else if (failure != null && failure.code() == ErrorCode.CAPTURE_ABANDONED) {
      recording.abandon(failure);
    }
  }
}
