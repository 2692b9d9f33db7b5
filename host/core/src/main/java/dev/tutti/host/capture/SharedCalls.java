package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.host.group.RecordedCall;
import java.util.List;

/** Captured calls of ranks in processes as one plan, over memory that all of them share. */
final class SharedCalls extends JoinedCalls {

  private final boolean isStaged;

  /**
   * Calls that were joined.
   *
   * @param isStaged whether buffers of the rank of this process are copied
   */
  SharedCalls(
      long group,
      List<RecordedCall> calls,
      Composite composite,
      CapturedMemory memory,
      CompiledPlan compiled,
      boolean isStaged) {
    super(group, calls, composite, memory, compiled);
    this.isStaged = isStaged;
  }

  @Override
  boolean isStaged() {
    return isStaged;
  }
}
