package dev.tutti.host.group;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;

/**
 * A plan that ranks have agreed on, together with its buffers. They run it again without another
 * agreement as long as they use the same buffers. One run at a time.
 */
public final class AgreedPlan extends AgreedRun {

  private final GroupCore core;
  private final SelectedPlan planned;
  private final CallerBuffers buffers;
  private final RunTally tally;

  AgreedPlan(GroupCore core, CallerBuffers buffers, RunTally tally) {
    super(core, () -> tally.planned().facts(core.number()));
    this.core = core;
    this.planned = tally.planned();
    this.buffers = buffers;
    this.tally = tally;
  }

  @Override
  public boolean isCurrent() {
    return !planned.generation().isRetired();
  }

  /** The plan. */
  public SelectedPlan planned() {
    return planned;
  }

  /** Whether the plan may run and all buffers are alive. */
  boolean isUsable() {
    for (MemorySegment.Scope scope : scopes()) {
      if (!scope.isAlive()) {
        return false;
      }
    }
    return isCurrent();
  }

  @Override
  public boolean uses(Generation generation) {
    return planned.generation() == generation;
  }

  @Override
  public MemorySegment.Scope[] scopes() {
    return buffers.scopes();
  }

  @Override
  void ran(long nanos) {
    tally.ran(nanos);
  }

  @Override
  public void failed(TuttiException failure) {
    core.planner().runFailed(planned.generation(), failure);
    planned.countFailure(core.counters());
  }
}
