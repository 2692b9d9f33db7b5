package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses few cases that visit all required combinations. Deterministic.
 *
 * <p>The algorithm is greedy. Each row starts from an unvisited combination, and changes one axis
 * after another to the value that lets it visit the most new combinations. Among values of equal
 * gain, it prefers the least visited combinations, so that no value is a default.
 */
final class CoveringCases {

  private static final int PASSES = 3;

  /**
   * The number of rows with a combination to try. The search for each row starts at another place.
   */
  private static final int STARTS = 12;

  private static final int STRIDE = 7919;

  /**
   * Weights; they are far enough apart that no sum of smaller weights reaches the next larger one.
   */
  private static final long GAIN = 1L << 44;

  private static final long WITHOUT_DATA = 1L << 40;
  private static final long OTHER_GAIN = 1L << 32;

  /** The weight of balanced single values relative to balanced combinations. */
  private static final int BALANCE = 16;

  /** The weight of a unit of effort relative to one visit. */
  private static final long PRICE = 4;

  /**
   * The weight of a unit of effort for vectors that a parameter may cut into pieces. It keeps such
   * vectors to small groups, even if that needs more rows.
   */
  private static final long PRICE_OF_PIECES = GAIN / 256;

  /** At most one case in this number is without data. */
  private static final int ONE_IN = 10;

  private final int[] sizes;
  private final Factor[] factors;

  /** For each axis, the numbers of the factors that it influences. */
  private final int[][] decided;

  private final int count;
  private final Effort effort;
  private final int noData;
  private final List<Interaction> wanted = new ArrayList<>();
  private final List<Interaction> others;
  private final List<RowWorth> worths;
  private final RowWorth worthOfData;
  private final Axes axes;

  /** The cases so far; several rows may form the same case. */
  private final Set<CollectiveCase> cases = new LinkedHashSet<>();

  private int casesWithoutData;

  private CoveringCases(Axes axes, Factors all) {
    this.axes = axes;
    this.sizes = axes.sizes();
    this.effort = new Effort(axes);
    wanted.addAll(all.pairsOfAxes());
    wanted.addAll(all.pairs());
    wanted.addAll(all.triples());
    // The interaction that needs the most rows comes first, because its rows have the best choice
    // of what else to visit.
    wanted.sort(Comparator.comparingInt(Interaction::possible).reversed());
    this.others = all.otherTriples();
    List<Interaction> balanced = all.balanced();
    Set<Factor> distinct = new LinkedHashSet<>();
    for (List<Interaction> each : List.of(wanted, others, balanced)) {
      each.forEach(interaction -> distinct.addAll(interaction.factors()));
    }
    List<Factor> numbered = List.copyOf(distinct);
    for (List<Interaction> each : List.of(wanted, others, balanced)) {
      each.forEach(interaction -> interaction.numberFactors(numbered));
    }
    this.factors = numbered.toArray(Factor[]::new);
    this.decided = new int[sizes.length][];
    Arrays.setAll(decided, axis -> decidedBy(axis, numbered));
    this.count = numbered.indexOf(all.count());
    List<String> counts = all.count().labels();
    this.noData = counts.size() > 1 ? counts.indexOf(Factors.NO_DATA) : -1;
    this.worths =
        List.of(
            new RowWorth(wanted, visits -> visits == 0 ? GAIN : -visits),
            new RowWorth(balanced, visits -> (long) -BALANCE * visits));
    this.worthOfData = new RowWorth(others, visits -> visits == 0 ? OTHER_GAIN : 0);
  }

  private static int[] decidedBy(int axis, List<Factor> factors) {
    return IntStream.range(0, factors.size())
        .filter(number -> Arrays.stream(factors.get(number).axes()).anyMatch(it -> it == axis))
        .toArray();
  }

  /** The chosen cases. */
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

  /**
   * Adds rows for the least visited of the other triples until few enough cases are without data.
   */
  private void dilute() {
    boolean hasMore = !others.isEmpty() && casesWithoutData < cases.size();
    for (int visits = 0; hasMore && isTooEmpty(); visits++) {
      for (Interaction interaction : others) {
        for (int combination = 0; combination < interaction.size(); combination++) {
          if (interaction.visits(combination) == visits && isTooEmpty()) {
            int[] row = row(interaction, combination);
            if (!isEmpty(values(row))) {
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

  private boolean isEmpty(int[] values) {
    return noData >= 0 && values[count] == noData;
  }

  private void add(int[] row) {
    int[] values = values(row);
    if (cases.add(axes.caseAt(row)) && isEmpty(values)) {
      casesWithoutData++;
    }
    worths.forEach(worth -> worth.visit(values));
    worthOfData.visit(values);
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
          long score = score(row, values(row));
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
    int[] values = values(row);
    for (int value = 0; value < sizes[axis]; value++) {
      row[axis] = value;
      for (int number : decided[axis]) {
        values[number] = factors[number].in(row);
      }
      if (value != best && interaction.atValues(values) == combination) {
        long score = score(row, values);
        if (score > most) {
          most = score;
          best = value;
        }
      }
    }
    row[axis] = best;
    return most;
  }

  private long score(int[] row, int[] values) {
    long score = 0;
    for (RowWorth worth : worths) {
      score += worth.of(values);
    }
    if (isEmpty(values)) {
      return score - WITHOUT_DATA;
    }
    return score
        + worthOfData.of(values)
        - PRICE * effort.of(row)
        - PRICE_OF_PIECES * effort.ofPieces(row);
  }
}
