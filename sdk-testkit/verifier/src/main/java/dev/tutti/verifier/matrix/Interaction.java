package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/** The combinations of the values of a few factors, and how often each has been visited. */
final class Interaction {

  private static final int IMPOSSIBLE = -1;

  /** A prime, so that the tried rows have little in common. */
  private static final long STRIDE = 7919;

  private final Factor[] factors;
  private final Axes table;
  private final int[] axes;
  private final int[] sizes;

  /** The number of values of each factor. */
  private final int[] counts;

  private final int[] visits;
  private final int possible;
  private final boolean isByType;
  private int[] numbers = {};

  /**
   * The numbers of all rows, sorted by combination; computed at first use. {@link #starts} has the
   * start of each combination.
   */
  private int[] rows = {};

  private int[] starts = {};

  /** Starts without visits. */
  Interaction(List<Factor> factors, Axes table) {
    this.factors = factors.toArray(Factor[]::new);
    this.table = table;
    this.sizes = table.sizes();
    this.counts = factors.stream().mapToInt(factor -> factor.labels().size()).toArray();
    TreeSet<Integer> all = new TreeSet<>();
    int combinations = 1;
    for (Factor factor : factors) {
      Arrays.stream(factor.axes()).forEach(all::add);
      combinations *= factor.labels().size();
    }
    this.axes = all.stream().mapToInt(Integer::intValue).toArray();
    this.isByType = factors.stream().allMatch(Factor::isByType);
    this.visits = new int[combinations];
    Arrays.fill(visits, IMPOSSIBLE);
    markPossible();
    this.possible = (int) Arrays.stream(visits).filter(each -> each == 0).count();
  }

  /**
   * Marks the possible combinations. A factor that shares no axis with another one combines with
   * every value. For the other factors, examines all rows.
   */
  private void markPossible() {
    List<Factor> all = factors();
    List<Factor> dependent = new ArrayList<>(all);
    dependent.removeIf(factor -> all.stream().noneMatch(other -> isDependent(factor, other)));
    if (dependent.size() < all.size() && !dependent.isEmpty()) {
      Interaction those = new Interaction(dependent, table);
      int[] values = new int[all.size()];
      those.numberFactors(all);
      for (int at = 0; at < visits.length; at++) {
        split(at, values);
        visits[at] = those.visits(those.atValues(values));
      }
    } else if (dependent.isEmpty()) {
      Arrays.fill(visits, 0);
    } else {
      int[] row = new int[sizes.length];
      forEachRow(row, 0, 0, number -> visits[at(row)] = 0);
    }
  }

  /**
   * Visits all rows that differ in the axes of the factors. If no factor distinguishes the
   * reductions of one type, visits only the first of them.
   *
   * @param row receives the values of each visited row
   * @param action receives the number of each row
   */
  private void forEachRow(int[] row, int depth, int number, IntConsumer action) {
    if (depth == axes.length) {
      action.accept(number);
      return;
    }
    int axis = axes[depth];
    for (int value = 0; value < sizes[axis]; value++) {
      if (!isByType || axis != Axes.REDUCTION || table.firstOfType(value) == value) {
        row[axis] = value;
        forEachRow(row, depth + 1, number * sizes[axis] + value, action);
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

  private void put(int number, int[] row) {
    int rest = number;
    for (int i = axes.length - 1; i >= 0; i--) {
      row[axes[i]] = rest % sizes[axes[i]];
      rest /= sizes[axes[i]];
    }
  }

  /**
   * Changes a row into several rows that have a combination.
   *
   * @param from where the search begins, any number from 0 on
   * @param limit the most rows
   * @param action receives the changed row
   */
  void forSomeRows(int combination, int[] row, int from, int limit, Consumer<int[]> action) {
    index();
    int first = starts[combination];
    int all = starts[combination + 1] - first;
    for (int i = 0; i < Math.min(all, limit); i++) {
      put(rows[first + (int) ((from + i * STRIDE) % all)], row);
      action.accept(row);
    }
  }

  /** Sorts the rows by their combinations. */
  private void index() {
    if (starts.length > 0) {
      return;
    }
    int[] row = new int[sizes.length];
    int[] ends = new int[visits.length + 1];
    forEachRow(row, 0, 0, number -> ends[at(row) + 1]++);
    for (int i = 1; i < ends.length; i++) {
      ends[i] += ends[i - 1];
    }
    starts = ends.clone();
    rows = new int[starts[visits.length]];
    forEachRow(row, 0, 0, number -> rows[ends[at(row)]++] = number);
  }

  /** Sets the positions of its factors among all factors. */
  void numberFactors(List<Factor> all) {
    numbers = factors().stream().mapToInt(all::indexOf).toArray();
  }

  /** The number of the factor at a place among all factors. */
  int number(int place) {
    return numbers[place];
  }

  /** The distance between the indexes of neighboring values of the factor at a place. */
  int step(int place) {
    int step = 1;
    for (int i = place + 1; i < counts.length; i++) {
      step *= counts[i];
    }
    return step;
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
    for (int i = 0; i < counts.length; i++) {
      at = at * counts[i] + factors[i].in(row);
    }
    return at;
  }

  /** The index of the combination of a case; -1 if no row has it. */
  int at(CollectiveCase c) {
    int at = 0;
    for (int i = 0; i < counts.length; i++) {
      int value = factors[i].in(c);
      if (value < 0) {
        return -1;
      }
      at = at * counts[i] + value;
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
    return List.of(factors);
  }

  int[] axes() {
    return axes;
  }

  String name() {
    return factors().stream().map(Factor::name).collect(Collectors.joining(" × "));
  }

  /** The values of a combination, for example {@code "op-base several rounds × rdma × 2"}. */
  String label(int combination) {
    int[] values = new int[counts.length];
    split(combination, values);
    StringJoiner labels = new StringJoiner(" × ");
    for (int i = 0; i < values.length; i++) {
      labels.add(factors[i].labels().get(values[i]));
    }
    return labels.toString();
  }
}
