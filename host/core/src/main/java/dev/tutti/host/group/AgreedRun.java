package dev.tutti.host.group;

import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What ranks have agreed to run: the owner of the bindings of ranks. One run at a time, unless a
 * method says otherwise.
 */
public abstract class AgreedRun {

  private final RunNotes notes;

  AgreedRun(GroupCore core, Supplier<RunFacts> facts) {
    this.notes = new RunNotes(facts, core.flight());
  }

  /** The time and number of the runs so far. */
  RunNotes notes() {
    return notes;
  }

  /** Whether it may still be run; any thread may ask. Allocates nothing. */
  public abstract boolean isCurrent();

  /** Whether it runs a plan of a generation; any thread may ask. */
  public abstract boolean uses(Generation generation);

  /** The scopes of the buffers. */
  public abstract MemorySegment.Scope[] scopes();

  /** What is run, in words and numbers. */
  public RunFacts facts() {
    return notes.facts();
  }

  /** Notes the begin of a run. The thread that runs the first rank's part calls this. */
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
   * Counts a run that ended well.
   *
   * @param nanos how long it took
   */
  abstract void ran(long nanos);

  /** Counts a run that failed for another reason than a cancel, for the plugins too. */
  public abstract void failed(TuttiException failure);

  /** The error of a run that takes too long, with what the group did. */
  public TuttiException late(TuttiException late, Supplier<GroupStatus> status) {
    return LateRunError.of(late, notes::lastOperations, status);
  }
}
