package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.host.group.RecordedCall;
import java.util.List;

/** Captured calls of ranks in several processes as one plan over shared memory. */
final class SharedCalls extends JoinedCalls {

  private final boolean isStaged;

  /**
   * Joins calls.
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
