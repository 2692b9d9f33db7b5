package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import org.jspecify.annotations.Nullable;

/** Facts about the order of one plan. Expensive facts are computed at first use. */
final class OrderFacts {

  private final FlatPlan plan;
  private final int[] rankOf;
  private final Signals signals;
  private final DirectKnowledge knowledge;
  private final Users users;
  private final boolean atomicReductions;
  private @Nullable PostAwaitPairs pairs;
  private @Nullable Reach reach;

  /**
   * Facts about one plan.
   *
   * @param rankOf the rank of each stream
   */
  OrderFacts(
      FlatPlan plan,
      int[] rankOf,
      Signals signals,
      DirectKnowledge knowledge,
      Users users,
      boolean atomicReductions) {
    this.plan = plan;
    this.rankOf = rankOf;
    this.signals = signals;
    this.knowledge = knowledge;
    this.users = users;
    this.atomicReductions = atomicReductions;
  }

  FlatPlan plan() {
    return plan;
  }

  FlatStream stream(int stream) {
    return plan.streams().get(stream);
  }

  /** The rank of a stream. */
  int rank(int stream) {
    return rankOf[stream];
  }

  Signals signals() {
    return signals;
  }

  DirectKnowledge knowledge() {
    return knowledge;
  }

  Users users() {
    return users;
  }

  boolean atomicReductions() {
    return atomicReductions;
  }

  /** The number of the stream after the last one of a rank. */
  int endOfRank(int rank) {
    return plan.endOfRank(rank);
  }

  /** The signals of the plan. The first call costs a walk. */
  PostAwaitPairs pairs() {
    PostAwaitPairs known = pairs;
    if (known == null) {
      known = PostAwaitPairs.of(plan);
      pairs = known;
    }
    return known;
  }

  /** Answers questions about the order. The first call costs a walk. */
  Reach reach() {
    Reach known = reach;
    if (known == null) {
      known = new Reach(plan, pairs());
      reach = known;
    }
    return known;
  }

  /** Whether an event happens before the end of at least one stream of a rank. */
  boolean isBeforeEndOf(int rank, int stream, int event) {
    int main = plan.mainStream(rank);
    if (rankOf[stream] == rank || knowledge.knows(main, stream, event)) {
      return true;
    }
    for (int end = main; end < endOfRank(rank); end++) {
      if (reach().isBefore(stream, event, end, stream(end).size() - 1)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a rank has entered the operation when an event happens. */
  boolean isAfterBeginOf(int rank, int stream, int event) {
    int main = plan.mainStream(rank);
    return rankOf[stream] == rank
        || knowledge.firstOf(stream, main) <= event
        || reach().isBefore(main, 0, stream, event);
  }
}
