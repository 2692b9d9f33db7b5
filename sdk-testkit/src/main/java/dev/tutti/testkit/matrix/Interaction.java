package dev.tutti.testkit.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The combinations of the values of a few factors, and how often each has been visited. */
final class Interaction {

  private static final int IMPOSSIBLE = -1;

  private final List<Factor> factors;
  private final int[] axes;
  private final int[] sizes;

  /** The number of values of each factor. */
  private final int[] counts;

  private final int[] visits;
  private final int possible;
  private int[] numbers = {};

  /**
   * Combinations that nothing has visited.
   *
   * @param sizes the number of values of each axis
   */
  Interaction(List<Factor> factors, int... sizes) {
    this.factors = List.copyOf(factors);
    this.sizes = sizes;
    this.counts = factors.stream().mapToInt(factor -> factor.labels().size()).toArray();
    TreeSet<Integer> all = new TreeSet<>();
    int combinations = 1;
    for (Factor factor : factors) {
      Arrays.stream(factor.axes()).forEach(all::add);
      combinations *= factor.labels().size();
    }
    this.axes = all.stream().mapToInt(Integer::intValue).toArray();
    this.visits = new int[combinations];
    Arrays.fill(visits, IMPOSSIBLE);
    markPossible();
    this.possible = (int) Arrays.stream(visits).filter(each -> each == 0).count();
  }

  /**
   * Factors that share no axis with another one combine with everything; of the others the rows are
   * looked at.
   */
  private void markPossible() {
    List<Factor> dependent = new ArrayList<>(factors);
    dependent.removeIf(factor -> factors.stream().noneMatch(other -> isDependent(factor, other)));
    if (dependent.size() < factors.size() && !dependent.isEmpty()) {
      Interaction those = new Interaction(dependent, sizes);
      int[] values = new int[factors.size()];
      those.numberFactors(factors);
      for (int at = 0; at < visits.length; at++) {
        split(at, values);
        visits[at] = those.visits(those.atValues(values));
      }
    } else if (dependent.isEmpty()) {
      Arrays.fill(visits, 0);
    } else {
      int[] row = new int[sizes.length];
      for (int number = 0; number < rows(); number++) {
        put(number, row);
        visits[at(row)] = 0;
      }
    }
  }

  private static boolean isDependent(Factor factor, Factor other) {
    return factor != other
        && Arrays.stream(factor.axes())
            .anyMatch(axis -> Arrays.stream(other.axes()).anyMatch(it -> it == axis));
  }

  private void split(int combination, int[] values) {
    int rest = combination;
    for (int i = counts.length - 1; i >= 0; i--) {
      values[i] = rest % counts[i];
      rest /= counts[i];
    }
  }

  /** The number of rows in which only the axes that decide the factors differ. */
  private int rows() {
    return Arrays.stream(axes).map(axis -> sizes[axis]).reduce(1, Math::multiplyExact);
  }

  private void put(int number, int[] row) {
    int rest = number;
    for (int i = axes.length - 1; i >= 0; i--) {
      row[axes[i]] = rest % sizes[axes[i]];
      rest /= sizes[axes[i]];
    }
  }

  /**
   * Changes a row into some that have a combination.
   *
   * @param from where to begin to look, any number from 0 on
   * @param limit the most rows
   * @param action is called with the changed row
   */
  void forSomeRows(int combination, int[] row, int from, int limit, Consumer<int[]> action) {
    int all = rows();
    int found = 0;
    for (int i = 0; i < all && found < limit; i++) {
      put((int) ((i + (long) from) % all), row);
      if (at(row) == combination) {
        found++;
        action.accept(row);
      }
    }
  }

  /** Says where the values of its factors stand among those of all factors. */
  void numberFactors(List<Factor> all) {
    numbers = factors.stream().mapToInt(all::indexOf).toArray();
  }

  /** The index of the combination of the values of all factors. */
  int atValues(int[] values) {
    int at = 0;
    for (int i = 0; i < numbers.length; i++) {
      at = at * counts[i] + values[numbers[i]];
    }
    return at;
  }

  /** The index of the combination of a row. */
  int at(int[] row) {
    int at = 0;
    for (Factor factor : factors) {
      at = at * factor.labels().size() + factor.in(row);
    }
    return at;
  }

  /** The index of the combination of a case; -1 if no row has it. */
  int at(CollectiveCase c) {
    int at = 0;
    for (Factor factor : factors) {
      int value = factor.in(c);
      if (value < 0) {
        return -1;
      }
      at = at * factor.labels().size() + value;
    }
    return at;
  }

  void visit(int combination) {
    visits[combination]++;
  }

  /** How often a combination has been visited; negative if there is no such case. */
  int visits(int combination) {
    return visits[combination];
  }

  /** The number of indexes, those of impossible combinations included. */
  int size() {
    return visits.length;
  }

  /** The number of combinations that cases can have. */
  int possible() {
    return possible;
  }

  List<Factor> factors() {
    return factors;
  }

  int[] axes() {
    return axes;
  }

  String name() {
    return factors.stream().map(Factor::name).collect(Collectors.joining(" × "));
  }

  /** The values of a combination, for example {@code "op-base several rounds × rdma × 2"}. */
  String label(int combination) {
    int[] values = new int[counts.length];
    split(combination, values);
    StringJoiner labels = new StringJoiner(" × ");
    for (int i = 0; i < values.length; i++) {
      labels.add(factors.get(i).labels().get(values[i]));
    }
    return labels.toString();
  }
}
