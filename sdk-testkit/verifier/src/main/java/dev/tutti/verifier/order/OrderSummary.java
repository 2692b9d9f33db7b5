package dev.tutti.verifier.order;

/** What {@link OrderCheck} has found out about the order of one operation. Not thread-safe. */
public final class OrderSummary {

  /** The result of {@link #notifyDepth} if no depth is known to be enough. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  private final OrderFacts facts;
  private final boolean isComplete;
  private final int notifyDepth;

  OrderSummary(OrderFacts facts, boolean isComplete, int notifyDepth) {
    this.facts = facts;
    this.isComplete = isComplete;
    this.notifyDepth = notifyDepth;
  }

  OrderFacts facts() {
    return facts;
  }

  /** Whether an event is over before another one starts, in every run. */
  public boolean isBefore(int stream, int event, int laterStream, int laterEvent) {
    return facts.reach().isBefore(stream, event, laterStream, laterEvent);
  }

  /** Whether the plan runs to its end; false if it is stuck. */
  public boolean isComplete() {
    return isComplete;
  }

  /**
   * The number of signals that each notify must be able to hold so that none is lost in any run. It
   * is 1 for a plan that is right on one-bit notifies. It is {@link #UNBOUNDED} if the plan gets
   * stuck, if an await can take a signal that is meant for another, if signals are left over in a
   * cell that can lose one, or if the search was ended.
   */
  public int notifyDepth() {
    return notifyDepth;
  }
}
