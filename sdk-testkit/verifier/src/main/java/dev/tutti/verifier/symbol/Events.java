package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges events during an execution: reads of undefined memory and concurrent reductions. */
final class Events implements Execution.Observer {

  /**
   * The most reads of undefined memory whose source lines are looked up. Further reads are only
   * counted.
   */
  private static final int MAX_KEYED = 1000;

  private static final long NOBODY = -1;

  private final FlatPlan plan;
  private final Segments segments;
  private final Findings findings;
  private final SymbolOptions.@Nullable Order order;

  /**
   * The stream and event of the last reduction into each segment since its last write, or NOBODY.
   */
  private final long[] reducers;

  private int undefinedReads;

  Events(FlatPlan plan, Segments segments, SymbolOptions options, Findings findings) {
    this.plan = plan;
    this.segments = segments;
    this.findings = findings;
    this.order = options.judgesTiming() ? options.order() : null;
    this.reducers = new long[order == null ? 0 : segments.count()];
    Arrays.fill(reducers, NOBODY);
  }

  boolean hasUndefinedRead() {
    return undefinedReads > 0;
  }

  // ---- SEM-3

  @Override
  public void undefinedRead(int stream, int event, int memory, long from, long to) {
    if (++undefinedReads > MAX_KEYED) {
      findings.count(Rule.UNDEFINED_READ);
      return;
    }
    FlatStream code = plan.streams().get(stream);
    findings.add(
        Rule.UNDEFINED_READ,
        code.origin(event),
        () -> {
          List<ActionRef> actions = new ArrayList<>();
          actions.add(code.ref(event));
          return new Finding(
              Rule.UNDEFINED_READ,
              "%s reads bytes %d to %d of %s, which nothing has written before"
                  .formatted(code.describe(event), from, to - 1, plan.memoryName(memory)),
              actions,
              laterWriter(memory, from, to, actions));
        });
  }

  /** Names the first action that writes bytes that are read too early. */
  private String laterWriter(int memory, long from, long to, List<ActionRef> actions) {
    for (FlatStream code : plan.streams()) {
      for (int event = 0; event < code.size(); event++) {
        if (code.sync(event) == FlatStream.DATA && writes(code, event, memory, from, to)) {
          actions.add(code.ref(event));
          return "it is written later, first by " + code.describe(event);
        }
      }
    }
    return "no action of the plan writes it";
  }

  private boolean writes(FlatStream code, int event, int memory, long from, long to) {
    RankPlan own = code.plan(event);
    int action = code.action(event);
    long start = own.dstOffset(action);
    return plan.memory(own.dstRank(action), own.dstType(action)) == memory
        && start < to
        && start + own.bytes(action) > from;
  }

  // ---- DET-3

  /*
   * It is enough to compare every reduction with the previous one in the order of the walk: if all
   * neighbors are ordered, all pairs are ordered.
   */

  @Override
  public void written(int stream, int event, int memory, long from, long to) {
    Arrays.fill(reducers, segments.at(memory, from), segments.at(memory, to), NOBODY);
  }

  @Override
  public void reduced(int stream, int event, int memory, long from, long to) {
    int end = segments.at(memory, to);
    for (int segment = segments.at(memory, from); segment < end; segment++) {
      long before = reducers[segment];
      reducers[segment] = ((long) stream << 32) | event;
      if (before != NOBODY) {
        compare((int) (before >>> 32), (int) before, stream, event, segment);
      }
    }
  }

  private void compare(int stream, int event, int later, int laterEvent, int segment) {
    if (order == null || stream == later || order.isBefore(stream, event, later, laterEvent)) {
      return;
    }
    FlatStream code = plan.streams().get(stream);
    FlatStream laterCode = plan.streams().get(later);
    findings.add(
        Rule.RUNS_DIFFER,
        code.origin(event) + "|" + laterCode.origin(laterEvent),
        () ->
            new Finding(
                Rule.RUNS_DIFFER,
                "%s and %s reduce into bytes %d to %d of %s, and nothing orders them: which operand"
                        .formatted(
                            code.describe(event),
                            laterCode.describe(laterEvent),
                            segments.start(segment),
                            segments.end(segment) - 1,
                            plan.memoryName(segments.memory(segment)))
                    + " comes first depends on timing, though the executor promises the same bits"
                    + " in every run",
                List.of(code.ref(event), laterCode.ref(laterEvent)),
                ""));
  }
}
