package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Few cases that visit all combinations that have to be visited. Deterministic.
 *
 * <p>Greedy: each row starts from a combination that has not been visited and changes one axis
 * after the other to the value that makes it visit the most. Where values gain the same, the
 * combinations that have been visited least decide, so that nothing is left to a default.
 */
final class CoveringCases {

  private static final int PASSES = 3;

  /** Of many rows with a combination so many are tried, found at another place for each row. */
  private static final int STARTS = 12;

  private static final int STRIDE = 7919;

  /** Weights far enough apart that no sum of lesser ones reaches the next. */
  private static final long GAIN = 1L << 44;

  private static final long WITHOUT_DATA = 1L << 40;
  private static final long OTHER_GAIN = 1L << 32;

  /** How much more the balance of single values counts than that of their combinations. */
  private static final int BALANCE = 16;

  /** How much a unit of effort counts against a visit less. */
  private static final long PRICE = 4;

  /**
   * The same of vectors that a parameter may cut into pieces: they are for small groups, even if
   * more rows have to visit the same.
   */
  private static final long PRICE_OF_PIECES = GAIN / 256;

  /** Of cases without data there are no more than one in so many. */
  private static final int ONE_IN = 10;

  private final int[] sizes;
  private final Factor[] factors;
  private final Factor count;
  private final Effort effort;
  private final int noData;
  private final List<Interaction> wanted = new ArrayList<>();
  private final List<Interaction> others;
  private final List<Interaction> balanced;
  private final Axes axes;

  /** Of several rows that make one case, the first. */
  private final Set<CollectiveCase> cases = new LinkedHashSet<>();

  private int casesWithoutData;

  private CoveringCases(Axes axes, Factors all) {
    this.axes = axes;
    this.sizes = axes.sizes();
    this.count = all.count();
    this.effort = new Effort(axes);
    this.noData = count.labels().size() > 1 ? count.labels().indexOf(Factors.NO_DATA) : -1;
    wanted.addAll(all.pairsOfAxes());
    wanted.addAll(all.pairs());
    wanted.addAll(all.triples());
    // Where most rows are needed, a row has the best choice of what else to visit.
    wanted.sort(Comparator.comparingInt(Interaction::possible).reversed());
    this.others = all.otherTriples();
    this.balanced = all.balanced();
    Set<Factor> distinct = new LinkedHashSet<>();
    for (List<Interaction> each : List.of(wanted, others, balanced)) {
      each.forEach(interaction -> distinct.addAll(interaction.factors()));
    }
    this.factors = distinct.toArray(Factor[]::new);
    for (List<Interaction> each : List.of(wanted, others, balanced)) {
      each.forEach(interaction -> interaction.numberFactors(Arrays.asList(factors)));
    }
  }

  /** The cases of the rows. */
  static List<CollectiveCase> of(Axes axes) {
    CoveringCases covering = new CoveringCases(axes, new Factors(axes));
    covering.wanted.forEach(covering::visitAll);
    if (covering.cases.isEmpty()) {
      covering.add(new int[axes.sizes().length]);
    }
    covering.dilute();
    return List.copyOf(covering.cases);
  }

  private void visitAll(Interaction interaction) {
    for (int combination = 0; combination < interaction.size(); combination++) {
      if (interaction.visits(combination) == 0) {
        add(row(interaction, combination));
      }
    }
  }

  /** Visits the thinnest of the other triples until few enough of the rows are without data. */
  private void dilute() {
    boolean hasMore = !others.isEmpty() && casesWithoutData < cases.size();
    for (int visits = 0; hasMore && isTooEmpty(); visits++) {
      for (Interaction interaction : others) {
        for (int combination = 0; combination < interaction.size(); combination++) {
          if (interaction.visits(combination) == visits && isTooEmpty()) {
            int[] row = row(interaction, combination);
            if (!isEmpty(row)) {
              add(row);
            }
          }
        }
      }
    }
  }

  private boolean isTooEmpty() {
    return casesWithoutData * ONE_IN > cases.size();
  }

  private boolean isEmpty(int[] row) {
    return noData >= 0 && count.in(row) == noData;
  }

  private void add(int[] row) {
    if (cases.add(axes.caseAt(row)) && isEmpty(row)) {
      casesWithoutData++;
    }
    int[] values = values(row);
    for (List<Interaction> each : List.of(wanted, others, balanced)) {
      each.forEach(interaction -> interaction.visit(interaction.atValues(values)));
    }
  }

  private int[] values(int[] row) {
    int[] values = new int[factors.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = factors[i].in(row);
    }
    return values;
  }

  /** The best row with a combination. */
  private int[] row(Interaction interaction, int combination) {
    int[] best = new int[sizes.length];
    long[] most = {Long.MIN_VALUE};
    interaction.forSomeRows(
        combination,
        new int[sizes.length],
        cases.size() * STRIDE,
        STARTS,
        row -> {
          long score = score(row);
          if (score > most[0]) {
            most[0] = score;
            System.arraycopy(row, 0, best, 0, row.length);
          }
        });
    for (int pass = 0; pass < PASSES; pass++) {
      long before = most[0];
      for (int axis = 0; axis < sizes.length; axis++) {
        most[0] = improve(best, axis, interaction, combination, most[0]);
      }
      if (most[0] == before) {
        break;
      }
    }
    return best;
  }

  private long improve(int[] row, int axis, Interaction interaction, int combination, long least) {
    long most = least;
    int best = row[axis];
    for (int value = 0; value < sizes[axis]; value++) {
      row[axis] = value;
      if (value != best && interaction.at(row) == combination) {
        long score = score(row);
        if (score > most) {
          most = score;
          best = value;
        }
      }
    }
    row[axis] = best;
    return most;
  }

  private long score(int[] row) {
    int[] values = values(row);
    long score = 0;
    for (Interaction interaction : wanted) {
      int visits = interaction.visits(interaction.atValues(values));
      score += visits == 0 ? GAIN : -visits;
    }
    for (Interaction interaction : balanced) {
      score -= (long) BALANCE * interaction.visits(interaction.atValues(values));
    }
    if (isEmpty(row)) {
      return score - WITHOUT_DATA;
    }
    score -= PRICE * effort.of(row) + PRICE_OF_PIECES * effort.ofPieces(row);
    for (Interaction interaction : others) {
      if (interaction.visits(interaction.atValues(values)) == 0) {
        score += OTHER_GAIN;
      }
    }
    return score;
  }
}
