package dev.tutti.host.capture;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.Composite;
import dev.tutti.engine.MessagePlan;
import dev.tutti.host.group.RecordedCall;
import java.util.List;
import java.util.StringJoiner;

/** Captured calls of ranks in processes without shared memory, as one plan with messages. */
final class MessageCalls extends JoinedCalls {

  private final MessagePlan messages;
  private final int process;
  private final boolean isStaged;

  /**
   * Joins calls.
   *
   * @param process the number of this process in the group
   * @param isStaged whether buffers of this process are copied
   */
  MessageCalls(
      long group,
      List<RecordedCall> calls,
      Composite composite,
      CapturedMemory memory,
      MessagePlan messages,
      int process,
      boolean isStaged) {
    super(group, calls, composite, memory);
    this.messages = messages;
    this.process = process;
    this.isStaged = isStaged;
  }

  MessagePlan messages() {
    return messages;
  }

  @Override
  boolean isStaged() {
    return isStaged;
  }

  @Override
  void explainProgram(StringJoiner lines) {
    lines.add(
        Sentence.of(
            "runs as: program of process %d, which sends or receives %d messages",
            process, messages.messages(process)));
    lines.add(Sentence.of("memory for received data: %d bytes", messages.stagingBytes(process)));
  }
}
