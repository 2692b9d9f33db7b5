package dev.tutti.verifier.symbol;

import dev.tutti.sdk.Determinism;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns faults into findings. Faults of one kind whose last writers have the same source line
 * become one finding. It explains the first of them with the actual expression of its element.
 */
final class Diagnosis implements OutputCheck.Faults, Associations.Differences {

  /**
   * The most faults of a rule whose source lines are looked up, which is slow. Further faults are
   * only counted.
   */
  private static final int MAX_KEYED = 1000;

  /**
   * After this many harmful repetitions of operands, further repetitions are no longer checked for
   * being harmless.
   */
  private static final int MAX_WRONG_SUMS = 16;

  private final Trace trace;
  private final Contents contents;
  private final Goal goal;
  private final Determinism declared;
  private final Findings findings;
  private final Explainer explainer;

  private final Map<String, List<Rule>> known = new HashMap<>();
  private final Map<Rule, Integer> keyed = new HashMap<>();

  /** The sums of those results of one piece that have all operands, some of them more than once. */
  private final Set<Long> harmlessSums = new HashSet<>();

  private @Nullable Piece harmlessIn;
  private int wrongSums;
  private boolean isRight = true;

  Diagnosis(Trace trace, Contents contents, Goal goal, Determinism declared, Findings findings) {
    this.trace = trace;
    this.contents = contents;
    this.goal = goal;
    this.declared = declared;
    this.findings = findings;
    this.explainer = new Explainer(trace, goal);
  }

  /** Whether every reported fault turned out to be harmless. */
  boolean isRight() {
    return isRight;
  }

  // ---- results

  @Override
  public void wrongOutput(
      Piece piece, int rank, int memory, long from, long to, long sum, long meta) {
    if (Value.state(meta) == Value.BROKEN && sum == Value.UNDEFINED) {
      isRight = false; // the read of undefined memory has its own finding
      return;
    }
    String kind = kind(piece, from, sum, meta);
    Rule rule = kind.equals("reduction") ? Rule.WRONG_REDUCTION : Rule.WRONG_CONTENTS;
    if (isHarmless(piece, rank, from, sum, meta)) {
      return;
    }
    isRight = false;
    if (!mayKey(rule)) {
      findings.count(rule);
      return;
    }
    String key = kind + " " + origin(memory, from);
    List<Rule> rules = known.get(key);
    if (rules != null) {
      rules.forEach(each -> findings.add(each, key, () -> new Finding(each, key)));
      return;
    }
    if (findings.isFull(rule)) {
      findings.count(rule);
      return;
    }
    List<Rule> found = new ArrayList<>();
    for (Finding finding : explainer.wrongOutput(piece, rank, from, to)) {
      found.add(finding.rule());
      findings.add(finding.rule(), key, () -> finding);
    }
    known.put(key, found);
  }

  private String kind(Piece piece, long from, long sum, long meta) {
    if (Value.state(meta) == Value.INITIAL) {
      return "nothing";
    }
    if (Value.state(meta) == Value.BROKEN) {
      return (sum & Value.REDUCTION) != 0
          ? "reduction"
          : (sum & Value.SHIFTED) != 0 ? "shifted" : "torn";
    }
    long place = (piece.srcOffset - piece.dstOffset) * goal.elementBytes() + from;
    if (Value.place(meta) != place) {
      return "place";
    }
    int missing = Integer.compare(Value.count(meta), piece.srcRanks.length);
    return missing < 0 ? "missing" : missing > 0 ? "double" : "other";
  }

  /**
   * Whether a result repeats operands without harm: its reduction allows repetitions, and no
   * operand is missing. The sum cannot show this, so the expression is examined once for each sum.
   */
  private boolean isHarmless(Piece piece, int rank, long from, long sum, long meta) {
    if (goal.op == null || !Value.isSound(meta) || wrongSums > MAX_WRONG_SUMS) {
      return false;
    }
    boolean repeats =
        switch (goal.op) {
          case MAX, MIN, BAND, BOR -> true;
          case SUM, PROD, BXOR -> false;
        };
    if (!repeats || !kind(piece, from, 0, meta).equals("double")) {
      return false;
    }
    if (piece != harmlessIn) {
      harmlessSums.clear();
      harmlessIn = piece;
    }
    if (harmlessSums.contains(sum)) {
      return true;
    }
    if (explainer.hasAllOperands(piece, rank, from)) {
      harmlessSums.add(sum);
      return true;
    }
    wrongSums++;
    return false;
  }

  // ---- inputs and outputs that must not change

  @Override
  public void changedInput(int rank, int memory, long from, long to) {
    changed(Rule.INPUT_WRITTEN, memory, from, () -> explainer.changedInput(rank, memory, from, to));
  }

  @Override
  public void changedOutput(int rank, int memory, long from, long to) {
    changed(
        Rule.OUTPUT_WRITTEN, memory, from, () -> explainer.changedOutput(rank, memory, from, to));
  }

  private void changed(Rule rule, int memory, long from, Supplier<Finding> finding) {
    isRight = false;
    if (mayKey(rule)) {
      findings.add(rule, origin(memory, from), finding);
    } else {
      findings.count(rule);
    }
  }

  // ---- associations

  @Override
  public void betweenRanks(Piece piece, int rank, int otherRank, long from) {
    if (declared.satisfies(Determinism.SAME_RANKS)) {
      differ(Rule.RANKS_DIFFER, piece, rank, from, otherRank, from);
    }
  }

  @Override
  public void betweenElements(Piece piece, int rank, long from, long otherFrom) {
    if (declared.satisfies(Determinism.SAME_SIZES)) {
      differ(Rule.SIZES_DIFFER, piece, rank, from, rank, otherFrom);
    }
  }

  private void differ(Rule rule, Piece piece, int rank, long from, int otherRank, long otherFrom) {
    if (!mayKey(rule)) {
      findings.count(rule);
      return;
    }
    String key =
        origin(explainer.output(rank), explainer.start(piece) + from)
            + "|"
            + origin(explainer.output(otherRank), explainer.start(piece) + otherFrom);
    findings.add(rule, key, () -> explainer.differ(rule, piece, rank, from, otherRank, otherFrom));
  }

  // ---- keys

  private boolean mayKey(Rule rule) {
    return keyed.merge(rule, 1, Integer::sum) <= MAX_KEYED || !findings.has(rule);
  }

  /** The source line of the action that last wrote a byte. */
  private String origin(int memory, long offset) {
    long writer = trace.writer(contents.segmentAt(memory, offset));
    if (writer == Trace.NOBODY) {
      return "nobody";
    }
    FlatStream code = trace.code(Trace.stream(writer));
    return code.origin(Trace.event(writer));
  }
}
