package dev.tutti.host.group;

import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan that ranks have agreed on together with their buffers. They run it again without another
 * agreement as long as they bring the same buffers. One run at a time.
 */
public final class AgreedPlan implements AgreedRun {

  private final GroupCore core;
  private final SelectedPlan planned;
  private final CallerBuffers buffers;
  private final RunTally tally;
  private final RunNotes notes;

  AgreedPlan(GroupCore core, CallerBuffers buffers, RunTally tally) {
    this.core = core;
    this.planned = tally.planned();
    this.buffers = buffers;
    this.tally = tally;
    this.notes = new RunNotes(() -> planned.facts(core.number()), core.flight());
  }

  @Override
  public boolean isCurrent() {
    return !planned.generation().isRetired();
  }

  /** The plan. */
  public SelectedPlan planned() {
    return planned;
  }

  /** Whether it may be run, and all buffers are there. */
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
  public RunFacts facts() {
    return notes.facts();
  }

  @Override
  public void begins() {
    notes.begin();
  }

  @Override
  public void ended(@Nullable TuttiException failure) {
    if (failure == null) {
      tally.ran(notes.done());
    } else {
      notes.failed(failure);
    }
  }

  @Override
  public void failed(TuttiException failure) {
    core.planner().runFailed(planned.generation(), failure);
    planned.countFailure(core.counters());
  }

  @Override
  public TuttiException late(TuttiException late, Supplier<GroupStatus> status) {
    return LateRunError.of(late, notes::lastOperations, status);
  }
}
