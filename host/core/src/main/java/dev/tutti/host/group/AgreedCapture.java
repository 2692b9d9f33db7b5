package dev.tutti.host.group;

import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Captured operations that ranks in several processes have agreed to run as one. The thread that
 * runs them counts the runs. Any thread may read the counts; they may lack the last runs.
 */
public final class AgreedCapture extends AgreedRun {

  private final GroupCore core;
  private final Operations operations;
  private final MemorySegment.Scope[] scopes;
  private long runs;
  private boolean isSettled;

  /** The operations. */
  public interface Operations {

    /** Whether the plugin of any plan is gone. Allocates nothing. */
    boolean isRetired();

    /** The generations of the plans, each once. */
    List<Generation> generations();

    /** Counts runs with each plan. */
    void ran(long runs);

    /** Counts runs of all operations, and of the capture itself; only the capture gets a time. */
    void count(Counters into, long ended, long inNanos);

    void countFailure(Counters into);

    /** The facts of the runs, in words. */
    RunFacts facts();
  }

  /**
   * Makes the capture; it has not run yet.
   *
   * @param scopes the scopes of the buffers
   */
  public AgreedCapture(GroupCore core, Operations operations, MemorySegment.Scope[] scopes) {
    super(core, operations::facts);
    this.core = core;
    this.operations = operations;
    this.scopes = scopes.clone();
  }

  @Override
  public boolean isCurrent() {
    return !operations.isRetired();
  }

  @Override
  public boolean uses(Generation generation) {
    return operations.generations().contains(generation);
  }

  @Override
  public MemorySegment.Scope[] scopes() {
    return scopes.clone();
  }

  @Override
  void ran(long nanos) {
    runs++;
  }

  @Override
  public void failed(TuttiException failure) {
    operations.generations().forEach(each -> core.planner().runFailed(each, failure));
    operations.countFailure(core.counters());
  }

  /** Adds the runs that have not been counted yet. */
  public void addTo(Counters counters) {
    if (!isSettled) {
      operations.count(counters, runs, notes().nanos());
    }
  }

  /** Adds the runs to the counters of the group; the capture must not run again. */
  public void settle() {
    if (!isSettled) {
      operations.ran(runs);
      addTo(core.counters());
      isSettled = true;
    }
  }
}
