package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges a barrier: no rank may leave before every rank has entered (rule SEM-6). Exact for a plan
 * whose signals are neither lost nor stolen.
 */
public final class BarrierCheck {

  /*
   * Along one legal walk, every stream carries the set of ranks whose entry it knows of, and every
   * signal carries the set of its sender. Ranks are judged in chunks to keep the sets small: one
   * walk for each 4,096 ranks.
   */
  private static final int CHUNK = 4096;

  private final FlatPlan plan;
  private final Findings findings;
  private final int firstRank;
  private final int ranks;
  private final long[][] known;
  private final Map<Integer, ArrayDeque<long[]>> signals = new HashMap<>();

  private BarrierCheck(FlatPlan plan, Findings findings, int firstRank) {
    this.plan = plan;
    this.findings = findings;
    this.firstRank = firstRank;
    this.ranks = Math.min(CHUNK, plan.plan().rankSize() - firstRank);
    this.known = new long[plan.streams().size()][(ranks + 63) / 64];
  }

  /** Checks a plan that runs to its end. */
  public static void check(FlatPlan plan, Findings findings) {
    for (int rank = 0; rank < plan.plan().rankSize(); rank += CHUNK) {
      new BarrierCheck(plan, findings, rank).run();
    }
  }

  private void run() {
    List<FlatStream> streams = plan.streams();
    for (int stream = 0; stream < known.length; stream++) {
      int bit = streams.get(stream).rank() - firstRank;
      if (bit >= 0 && bit < ranks) {
        known[stream][bit >>> 6] |= 1L << bit;
      }
    }
    new Walk(plan, new Carrier()).run();
  }

  private final class Carrier implements Walk.Visitor {

    @Override
    public void data(int stream, int event) {}

    @Override
    public void post(int stream, int event, int cell, int pending) {
      signals.computeIfAbsent(cell, c -> new ArrayDeque<>()).add(known[stream].clone());
    }

    @Override
    public void await(int stream, int event, int cell, int postStream, int postEvent) {
      ArrayDeque<long[]> sent = signals.get(cell);
      long[] knowledge = sent == null ? null : sent.poll();
      if (knowledge == null) {
        throw new IllegalStateException("a signal is taken that was never posted");
      }
      for (int word = 0; word < knowledge.length; word++) {
        known[stream][word] |= knowledge[word];
      }
    }

    @Override
    public void border(int stream, int event, boolean isBegin) {
      if (!isBegin) {
        judge(stream, event);
      }
    }
  }

  private void judge(int stream, int end) {
    for (int bit = 0; bit < ranks; bit++) {
      if ((known[stream][bit >>> 6] & 1L << bit) == 0) {
        int missing = firstRank + bit;
        if (findings.isFull(Rule.BARRIER_INCOMPLETE)) {
          findings.count(Rule.BARRIER_INCOMPLETE);
        } else {
          findings.add(Rule.BARRIER_INCOMPLETE, "", () -> finding(stream, end, missing));
        }
      }
    }
  }

  private Finding finding(int stream, int end, int missing) {
    FlatStream code = plan.streams().get(stream);
    String message =
        "rank %d can leave the barrier before rank %d has entered it: no chain of signals leads from"
                .formatted(code.rank(), missing)
            + " the entry of rank %d to the return of rank %d".formatted(missing, code.rank());
    FlatStream other = plan.streams().get(plan.mainStream(missing));
    if (end < 2 || other.size() < 3) {
      return new Finding(Rule.BARRIER_INCOMPLETE, message);
    }
    return new Finding(
        Rule.BARRIER_INCOMPLETE, message, List.of(code.ref(end - 1), other.ref(1)), "");
  }
}
