package dev.tutti.host.group;

import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RunFacts;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan or capture that ranks have agreed to run; it owns the ranks' bindings. Only one thread at
 * a time may use it, unless a method says otherwise.
 */
public abstract class AgreedRun {

  private final RunNotes notes;

  AgreedRun(GroupCore core, Supplier<RunFacts> facts) {
    this.notes = new RunNotes(facts, core.flight(), null);
  }

  /** The time and number of the runs so far. */
  RunNotes notes() {
    return notes;
  }

  /** Whether it may still run; any thread may call this. Allocates nothing. */
  public abstract boolean isCurrent();

  /** Whether it runs a plan of a generation; any thread may call this. */
  public abstract boolean uses(Generation generation);

  /** The scopes of the buffers. */
  public abstract MemorySegment.Scope[] scopes();

  /** The facts of the runs, in words and numbers. */
  public RunFacts facts() {
    return notes.facts();
  }

  /** Notes the start of a run. The thread that runs the first rank's part calls this. */
  public void begins() {
    notes.begin();
  }

  /** Notes the end of a run. The thread that ran the first rank's part calls this. */
  public void ended(@Nullable TuttiException failure) {
    if (failure == null) {
      ran(notes.done());
    } else {
      notes.failed(failure);
    }
  }

  /**
   * Counts a successful run.
   *
   * @param nanos its duration
   */
  abstract void ran(long nanos);

  /** Counts a failed run that was not cancelled, also for the plugins. */
  public abstract void failed(TuttiException failure);

  /** The error of a run that takes too long, with the activity of the group. */
  public TuttiException late(TuttiException late, Supplier<GroupStatus> status) {
    return LateRunError.of(late, notes::lastOperations, status);
  }
}
