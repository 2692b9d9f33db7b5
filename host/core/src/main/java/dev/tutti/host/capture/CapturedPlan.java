package dev.tutti.host.capture;

import dev.tutti.engine.Binding;
import dev.tutti.engine.Composite;
import dev.tutti.host.group.RecordedCall;
import java.util.List;
import java.util.StringJoiner;

/** Captured calls as one plan, bound to their memory for one caller. */
final class CapturedPlan extends JoinedCalls {

  private final Binding binding;

  CapturedPlan(
      long group,
      List<RecordedCall> calls,
      Composite composite,
      CapturedMemory memory,
      Binding binding) {
    super(group, calls, composite, memory);
    this.binding = binding;
  }

  Binding binding() {
    return binding;
  }

  @Override
  void explainProgram(StringJoiner lines) {
    explain(binding.compiled(), lines);
  }
}
