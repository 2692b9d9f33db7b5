package dev.tutti.mutation;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans a request as if it were another one. */
final class WrongRequest {

  private WrongRequest() {}

  /** The plan with the mistake; null if it equals the correct plan, or if there is no such plan. */
  static @Nullable WrongPlan of(
      Situation situation, Mistake mistake, List<CollExecutorBase<?>> executors) {
    CollectiveCase other = other(situation.request(), mistake);
    if (other == null) {
      return null;
    }
    Situation wrong = new Situation(other, executors);
    if (!wrong.isSupported()) {
      return null;
    }
    GroupPlan right = situation.plan();
    try {
      GroupPlan plan = inMemoryOf(right, wrong.plan());
      return plan.ranks().equals(right.ranks()) ? null : new WrongPlan(plan, List.of());
    } catch (TuttiException e) {
      return null;
    }
  }

  private static @Nullable CollectiveCase other(CollectiveCase c, Mistake mistake) {
    int ranks = c.comm().rankSize();
    boolean hasData = Traits.hasData(c.operation());
    return switch (mistake) {
      case SHORT_COUNT -> hasData && c.count() > 0 ? c.withCount(c.count() - 1) : null;
      case LONG_COUNT -> hasData ? c.withCount(c.count() + 1) : null;
      case WRONG_TAIL -> c.count() % ranks == 0 ? null : c.withCount(c.count() - c.count() % ranks);
      case WRONG_ROOT ->
          Traits.hasRoot(c.operation()) && ranks > 1 ? c.withRoot((c.root() + 1) % ranks) : null;
      case WRONG_REDUCTION -> {
        ReduceOp op = c.reduceOp() == ReduceOp.SUM ? ReduceOp.PROD : ReduceOp.SUM;
        yield Traits.reduces(c.operation()) ? c.withReduction(c.dataType(), op) : null;
      }
      case WRONG_TYPE -> {
        DataType type = otherType(c);
        yield Traits.reduces(c.operation()) && type != null
            ? c.withReduction(type, c.reduceOp())
            : null;
      }
      default -> null;
    };
  }

  private static @Nullable DataType otherType(CollectiveCase c) {
    for (DataType type : DataType.values()) {
      if (type != c.dataType()
          && type.size() == c.dataType().size()
          && c.reduceOp().supports(type)) {
        return type;
      }
    }
    return null;
  }

  /**
   * A plan with the sizes of the caller's memory in another plan, because an executor cannot choose
   * these sizes.
   */
  private static GroupPlan inMemoryOf(GroupPlan right, GroupPlan wrong) {
    List<RankPlan> ranks = new ArrayList<>();
    for (RankPlan rank : wrong.ranks()) {
      RankPlanBuilder builder = new RankPlanBuilder(rank);
      for (TransportMemType type :
          List.of(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)) {
        builder.memSize(type, right.rank(rank.rank()).memSize(type));
      }
      ranks.add(builder.appendAll(rank).build());
    }
    return new GroupPlan(right.name(), right.inPlace(), ranks);
  }
}
