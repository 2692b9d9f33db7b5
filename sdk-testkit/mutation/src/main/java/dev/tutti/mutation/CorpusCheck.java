package dev.tutti.mutation;

import dev.tutti.mutation.Condition.Axis;
import dev.tutti.mutation.MutationScore.Count;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a matrix on one algorithm. Makes wrong algorithms from it, each with one mistake under
 * some conditions, and counts those that a case of the matrix detects.
 *
 * <pre>{@code
 * CorpusCheck.of(new RingAllReduce()).run(500, 1).requireAtLeast(0.99);
 * }</pre>
 */
public final class CorpusCheck {

  /** If no case of the matrix detects a wrong algorithm, it is tried in this many other cases. */
  private static final int WIDER_CASES = 40;

  /**
   * If no rule notices a mistake, it must be proven harmless in this many cases, smallest first.
   */
  private static final int PROVEN_CASES = 8;

  private final List<CollExecutorBase<?>> executors;
  private final Operation operation;
  private final List<Situation> matrix;
  private final WiderCases wider;
  private final Map<Axis, List<Condition>> conditions;

  private CorpusCheck(List<CollExecutorBase<?>> executors, List<CollectiveCase> cases) {
    this.executors = List.copyOf(executors);
    this.operation = Operation.ofExecutor(executors.getFirst().getClass());
    this.wider = new WiderCases(operation, executors.getFirst());
    this.conditions = Conditions.of(operation, executors.getFirst());
    this.matrix = new ArrayList<>();
    for (CollectiveCase c : bothWays(cases)) {
      Situation situation = new Situation(c, executors);
      if (situation.isSupported()) {
        matrix.add(situation);
      }
    }
  }

  /**
   * A check of the standard matrix.
   *
   * @param executors one executor, or the sender and the receiver of a transfer
   */
  public static CorpusCheck of(CollExecutorBase<?>... executors) {
    List<CollExecutorBase<?>> all = List.of(executors);
    return new CorpusCheck(
        all, MatrixCases.covering(Matrix.standard(all), c -> new Situation(c, all).isSupported()));
  }

  /** The same check with other cases. */
  public CorpusCheck withCases(List<CollectiveCase> cases) {
    return new CorpusCheck(executors, cases);
  }

  /**
   * Each case in place and out of place, as in a check. Small cases come first, because they take
   * less time.
   */
  private static List<CollectiveCase> bothWays(List<CollectiveCase> cases) {
    Set<CollectiveCase> all = new LinkedHashSet<>();
    for (CollectiveCase c : cases) {
      all.add(c);
      all.add(c.withInPlace(!c.inPlace()));
    }
    List<CollectiveCase> sorted = new ArrayList<>(all);
    sorted.sort(
        Comparator.comparingInt((CollectiveCase c) -> c.comm().rankSize())
            .thenComparingLong(CollectiveCase::count));
    return sorted;
  }

  /**
   * Makes wrong algorithms and checks whether they are detected.
   *
   * @param members the number of algorithms
   * @param seed chooses the algorithms
   */
  public CorpusScore run(int members, long seed) {
    Random random = new Random(seed);
    Map<ConditionKind, Count> counts = new EnumMap<>(ConditionKind.class);
    List<String> survivors = new ArrayList<>();
    for (int member = 0; member < members; member++) {
      WrongAlgorithm wrong = draw(random);
      boolean isFound = isFound(wrong);
      String witness = isFound ? null : witness(wrong, new Random(seed + member));
      boolean isRight = !isFound && witness == null;
      counts.merge(
          ConditionKind.of(wrong.conditions()),
          new Count(1, isFound ? 1 : 0, isRight ? 1 : 0),
          Count::plus);
      if (witness != null) {
        survivors.add(wrong + ": " + witness);
      }
    }
    return new CorpusScore(counts, survivors);
  }

  // ---- making

  private WrongAlgorithm draw(Random random) {
    List<Axis> axes = new ArrayList<>(conditions.keySet());
    int number = Math.ceilDiv(random.nextInt(16), 5);
    if (number == 3 && random.nextBoolean()) {
      axes.retainAll(ConditionKind.EXECUTION);
    }
    Collections.shuffle(axes, random);
    List<Condition> drawn = new ArrayList<>();
    Mistake mistake = Draws.of(mistakes(), random);
    Site site = Site.draw(random);
    for (Axis axis : axes.subList(0, Math.min(number, axes.size()))) {
      Condition condition = Draws.of(conditions.getOrDefault(axis, List.of()), random);
      drawn.add(condition);
      if (axis == Axis.ROUNDS && condition.text().equals(Conditions.SEVERAL_ROUNDS)) {
        site = site.in(Draws.of(List.of(Site.Round.values()), random));
      }
    }
    return new WrongAlgorithm(drawn, mistake, site);
  }

  private List<Mistake> mistakes() {
    List<Mistake> fitting = new ArrayList<>();
    for (Mistake mistake : Mistake.values()) {
      boolean fits =
          switch (mistake) {
            case WRONG_ROOT -> Traits.hasRoot(operation);
            case COPIED_NOT_REDUCED, REDUCED_NOT_COPIED, WRONG_REDUCTION, WRONG_TYPE ->
                Traits.reduces(operation);
            case MISSING_AWAIT, MISSING_POST, MISSING_SIGNAL, EXTRA_POST, WRONG_NOTIFY -> true;
            default -> Traits.hasData(operation);
          };
      if (fits) {
        fitting.add(mistake);
      }
    }
    return fitting;
  }

  // ---- looking

  private boolean isFound(WrongAlgorithm wrong) {
    for (Situation situation : matrix) {
      if (wrong.isWrongIn(situation.request())) {
        WrongPlan plan = wrong.plan(situation, executors);
        if (plan != null && isReported(situation, plan)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isReported(Situation situation, WrongPlan plan) {
    return !Tally.errors(situation.judge(plan.plan())).isEmpty();
  }

  /** A case in which an algorithm is wrong, in words; null if there is none. */
  private @Nullable String witness(WrongAlgorithm wrong, Random random) {
    List<CollectiveCase> cases =
        wider.meeting(
            wrong.conditions(),
            WIDER_CASES,
            c -> new Situation(c, executors).isSupported(),
            random);
    // Small cases take less time.
    cases.sort(Comparator.comparingLong(c -> c.comm().rankSize() * (1 + c.count())));
    List<Situation> unnoticed = new ArrayList<>();
    for (CollectiveCase c : cases) {
      Situation situation = new Situation(c, executors);
      WrongPlan plan = wrong.plan(situation, executors);
      if (plan != null) {
        if (isReported(situation, plan)) {
          situation.requireRight();
          return "not wrong in any case of the matrix, but in " + situation;
        }
        unnoticed.add(situation);
      }
    }
    unnoticed.sort(Comparator.comparingLong(each -> each.plan().actionCount()));
    for (Situation situation : unnoticed.subList(0, Math.min(PROVEN_CASES, unnoticed.size()))) {
      WrongPlan plan = wrong.plan(situation, executors);
      if (plan != null && !isHarmless(situation, plan)) {
        return "wrong, but noticed by no rule, in " + situation;
      }
    }
    return null;
  }

  private boolean isHarmless(Situation situation, WrongPlan plan) {
    GroupPlan right = situation.plan();
    return plan.hasOrigins()
        && new Equivalence(right, operation, situation.request().dataType())
            .holdsFor(plan.plan(), plan::origin);
  }
}
