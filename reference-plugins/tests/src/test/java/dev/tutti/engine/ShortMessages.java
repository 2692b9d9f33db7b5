package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;

/** Compiles plans for processes whose messages are shorter than usual. */
public final class ShortMessages {

  private ShortMessages() {}

  /**
   * Compiles a plan.
   *
   * @param processOf the process of each rank
   * @param piece the most bytes of a message
   */
  public static MessagePlan compile(
      GroupPlan plan, int[] processOf, EngineConfig config, long piece) {
    UnrolledPrograms programs = PlanCompiler.programs(plan, config);
    return new MessagePlan(
        programs, processOf, MessageLowering.lower(programs.whole(), processOf, piece));
  }
}
