package dev.tutti.verifier.symbol;

import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.Moves;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.semantics.Piece;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes a plan with symbols instead of data, and compares the outcome with the operation's
 * definition: rules SEM-1 to SEM-5 and DET-1 to DET-3.
 *
 * <p>The verdict is for one legal order of the plan. It holds for all orders if the plan has
 * neither races nor lost notifies, which other rules check. Cost: time grows with the number of
 * actions and of the segments that they touch; memory is 24 bytes for each segment that is written
 * and 8 for each action that moves data, and 8 more for each segment if something is wrong.
 */
public final class SymbolCheck {

  private SymbolCheck() {}

  /**
   * Checks a plan.
   *
   * @param plan a plan that runs to its end; if it gets stuck, its results are not judged
   * @param params each rank's request in rank order, null for a rank that takes no part
   * @param findings receives all findings
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} or {@link
   *     ErrorCode#INVALID_COUNT} if the requests contradict each other or do not match the plan
   */
  public static SymbolResult check(
      FlatPlan plan,
      List<? extends @Nullable OpParam> params,
      SymbolOptions options,
      Findings findings) {
    Segments segments = Segments.ofWritten(plan, 1);
    Moves moves = Moves.of(plan, segments, 1);
    return check(plan, segments, moves, params, options, (stream, event) -> {}, findings);
  }

  /**
   * Checks a plan whose memories are already cut into segments.
   *
   * @param segments segments of at least the memories that the plan writes
   * @param moves the moves of the plan
   * @param companion also visits the walk of the plan
   */
  public static SymbolResult check(
      FlatPlan plan,
      Segments segments,
      Moves moves,
      List<? extends @Nullable OpParam> params,
      SymbolOptions options,
      Walk.Visitor companion,
      Findings findings) {
    Goal goal = new Goal(plan.plan(), params);
    Contents contents = new Contents(plan, segments);
    boolean judgesTiming = options.judgesTiming() && goal.isOrderSensitive();
    Events events = new Events(plan, segments, options, findings);
    Execution execution = new Execution(plan, contents, goal, events, judgesTiming ? null : moves);
    if (!new Walk(plan, Walk.both(execution, companion)).run()) {
      return new SymbolResult(false, new long[goal.rankSize()], goal, SymbolCheck::nothing);
    }
    OutputCheck outputs = new OutputCheck(plan, contents, goal);
    Flag flag = new Flag(options);
    Associations associations = new Associations(goal.rankSize(), flag);
    outputs.run(flag, goal.isOrderSensitive() ? associations : null);
    boolean isRight = !events.hasUndefinedRead();
    if (flag.isRaised) {
      Trace trace = new Trace(plan, segments);
      Diagnosis diagnosis = new Diagnosis(trace, contents, goal, options.declared(), findings);
      outputs.run(
          diagnosis, goal.isOrderSensitive() ? new Associations(goal.rankSize(), diagnosis) : null);
      isRight &= diagnosis.isRight();
    }
    return new SymbolResult(
        isRight, associations.trees(), goal, () -> new Explainer(new Trace(plan, segments), goal));
  }

  private static Explainer nothing() {
    throw new IllegalStateException("the plan got stuck, so there is nothing to explain");
  }

  /** Notices only whether there is something to explain. */
  private static final class Flag implements OutputCheck.Faults, Associations.Differences {
    private final boolean wantsRanks;
    private final boolean wantsElements;
    private boolean isRaised;

    Flag(SymbolOptions options) {
      wantsRanks = options.declared().satisfies(Determinism.SAME_RANKS);
      wantsElements = options.declared().satisfies(Determinism.SAME_SIZES);
    }

    @Override
    public void wrongOutput(
        Piece piece, int rank, int memory, long from, long to, long sum, long meta) {
      isRaised = true;
    }

    @Override
    public void changedInput(int rank, int memory, long from, long to) {
      isRaised = true;
    }

    @Override
    public void changedOutput(int rank, int memory, long from, long to) {
      isRaised = true;
    }

    @Override
    public void betweenRanks(Piece piece, int rank, int otherRank, long from) {
      isRaised |= wantsRanks;
    }

    @Override
    public void betweenElements(Piece piece, int rank, long from, long otherFrom) {
      isRaised |= wantsElements;
    }
  }
}
