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
public interface AgreedRun {

  /** Whether it may still be run; any thread may ask. Allocates nothing. */
  boolean isCurrent();

  /** Whether it runs a plan of a generation; any thread may ask. */
  boolean uses(Generation generation);

  /** The scopes of the buffers. */
  MemorySegment.Scope[] scopes();

  /** What is run, in words and numbers. */
  RunFacts facts();

  /** Notes the begin of a run. The thread that runs the first rank's part calls this. */
  void begins();

  /** Notes the end of a run. The thread that ran the first rank's part calls this. */
  void ended(@Nullable TuttiException failure);

  /** Counts a run that failed for another reason than a cancel, for the plugins too. */
  void failed(TuttiException failure);

  /** The error of a run that takes too long, with what the group did. */
  TuttiException late(TuttiException late, Supplier<GroupStatus> status);
}
