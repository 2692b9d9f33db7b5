package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;

/**
 * Draws plans in Graphviz's DOT language; {@code dot -Tsvg} makes a picture of it. A cluster is a
 * rank, and a row in it is a stream. Solid arrows are the order of a stream, dashed ones lead from
 * each POST to the AWAIT that it releases, and bold ones show data that moves between ranks. The
 * drawing assumes that the k-th POST on a notify releases the k-th AWAIT on it. Nested plans are
 * drawn where they run. The tooltip of an action is the line of code that emitted it. Equal plans
 * with equal source lines give equal text.
 */
public final class PlanDot {

  /** The default for the most actions to draw; Graphviz is slow with more. */
  public static final int DEFAULT_MAX_ACTIONS = 1000;

  private PlanDot() {}

  /** A drawing of at most {@link #DEFAULT_MAX_ACTIONS} actions. */
  public static String toDot(GroupPlan plan) {
    Arguments.require(plan, "plan");
    return toDot(plan, DEFAULT_MAX_ACTIONS);
  }

  /**
   * A drawing.
   *
   * @param maxActions the most actions to draw, 1 or more, divided equally among the ranks; notes
   *     in the picture report what is left out
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the limit is less than 1
   */
  public static String toDot(GroupPlan plan, int maxActions) {
    Arguments.require(plan, "plan");
    StringBuilder text = new StringBuilder();
    try {
      write(plan, maxActions, text);
    } catch (IOException e) {
      throw new AssertionError("a StringBuilder takes everything", e);
    }
    return text.toString();
  }

  /**
   * Writes a drawing; the target is not flushed or closed.
   *
   * @throws TuttiException as {@link #toDot(GroupPlan, int)}
   * @throws IOException if the target throws it
   */
  public static void write(GroupPlan plan, int maxActions, Appendable target) throws IOException {
    Arguments.require(plan, "plan");
    Arguments.require(target, "target");
    if (maxActions < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the most actions to draw must be 1 or more. Actual: %d",
          maxActions);
    }
    new DotWriter(plan, maxActions, target).write();
  }
}
