package dev.tutti.host.group;

import dev.tutti.engine.Composite;
import dev.tutti.engine.MessagePlan;
import dev.tutti.engine.message.Wire;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.WorkflowMode;

/** Captured operations that ranks without shared memory have agreed to run as one plan. */
public final class JoinedMessages implements AgreedMessages {

  private final String title;
  private final long number;
  private final Composite composite;
  private final MessagePlan messages;
  private final Wire wire;
  private final AgreedCapture.Operations operations;

  JoinedMessages(
      String title,
      long number,
      Composite composite,
      MessagePlan messages,
      Wire wire,
      AgreedCapture.Operations operations) {
    this.title = title;
    this.number = number;
    this.composite = composite;
    this.messages = messages;
    this.wire = wire;
    this.operations = operations;
  }

  /** The name of a run, which is the same in all processes. */
  public String title() {
    return title;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public boolean isRetired() {
    return operations.isRetired();
  }

  @Override
  public ChosenPlan chosen() {
    return new ChosenPlan(
        composite.plan().name(),
        "",
        AlgOptions.none(),
        WorkflowMode.GRAPH,
        composite.plan().digest());
  }

  Composite composite() {
    return composite;
  }

  MessagePlan messages() {
    return messages;
  }

  Wire wire() {
    return wire;
  }
}
