package dev.tutti.verifier.order;

/** What {@link OrderCheck} has learnt about one operation. Not thread-safe. */
public final class OrderSummary {

  /** {@link #notifyDepth} of a plan for which no depth is known to be enough. */
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
   * How many signals each notify must be able to hold so that none is lost in any run: 1 for a plan
   * that is right on one-bit notifies, or {@link #UNBOUNDED} for one that is stuck, lets an await
   * take a signal that is meant for another, or loses so many signals that the search was ended.
   */
  public int notifyDepth() {
    return notifyDepth;
  }
}
