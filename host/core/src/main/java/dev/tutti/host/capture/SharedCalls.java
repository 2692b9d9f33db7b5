package dev.tutti.host.capture;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.host.group.RecordedCall;
import java.util.List;
import java.util.StringJoiner;

/** Captured calls of ranks in several processes as one plan over shared memory. */
final class SharedCalls extends JoinedCalls {

  private final CompiledPlan compiled;
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
    super(group, calls, composite, memory);
    this.compiled = compiled;
    this.isStaged = isStaged;
  }

  CompiledPlan compiled() {
    return compiled;
  }

  @Override
  void explainProgram(StringJoiner lines) {
    explain(compiled, lines);
  }

  @Override
  boolean isStaged() {
    return isStaged;
  }
}
