package dev.tutti.verifier.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A property of cases that has one of a few values, for example the number of rounds. Immutable
 * once built.
 */
final class Factor {

  private final String name;
  private final int[] axes;
  private final int[] sizes;
  private final int[] values;
  private final List<String> labels = new ArrayList<>();
  private final Function<CollectiveCase, String> label;

  private Factor(
      String name, int[] axes, int[] sizes, int[] values, Function<CollectiveCase, String> label) {
    this.name = name;
    this.axes = axes;
    this.sizes = sizes;
    this.values = values;
    this.label = label;
  }

  /**
   * A factor whose value is computed from a case. If several axes decide it, it may depend on the
   * element type but not on the reduction.
   *
   * @param name its name in tables
   * @param axes the axes that decide it, in ascending order
   * @param label the name of its value in a case
   */
  static Factor of(String name, Axes table, int[] axes, Function<CollectiveCase, String> label) {
    int[] sizes = new int[axes.length];
    int all = 1;
    for (int i = 0; i < axes.length; i++) {
      sizes[i] = table.sizes()[axes[i]];
      all *= sizes[i];
    }
    Factor factor = new Factor(name, axes, sizes, new int[all], label);
    int[] row = new int[table.sizes().length];
    for (int at = 0; at < all; at++) {
      int rest = at;
      for (int i = axes.length - 1; i >= 0; i--) {
        row[axes[i]] = rest % sizes[i];
        rest /= sizes[i];
      }
      int known = axes.length == 1 ? at : factor.firstOfType(table, row);
      factor.values[at] =
          known < at ? factor.values[known] : factor.add(label.apply(table.caseAt(row)));
    }
    return factor;
  }

  /** The index of the value for the row with the first reduction of the same type. */
  private int firstOfType(Axes table, int[] row) {
    int reduction = row[Axes.REDUCTION];
    row[Axes.REDUCTION] = table.firstOfType(reduction);
    int first = indexOf(row);
    row[Axes.REDUCTION] = reduction;
    return first;
  }

  private int indexOf(int[] row) {
    int at = 0;
    for (int i = 0; i < axes.length; i++) {
      at = at * sizes[i] + row[axes[i]];
    }
    return at;
  }

  /** A factor that has the numbers of an axis as its values, no matter which cases they form. */
  static Factor ofAxis(Axes table, int axis) {
    int size = table.sizes()[axis];
    Factor factor =
        new Factor("axis " + axis, new int[] {axis}, new int[] {size}, new int[size], c -> "");
    for (int value = 0; value < size; value++) {
      factor.values[value] = factor.add(Integer.toString(value));
    }
    return factor;
  }

  private int add(String text) {
    int index = labels.indexOf(text);
    if (index < 0) {
      labels.add(text);
      return labels.size() - 1;
    }
    return index;
  }

  /** The same factor with some values merged. */
  Factor coarser(String newName, Function<String, String> mapping) {
    Factor coarse = new Factor(newName, axes, sizes, values.clone(), label.andThen(mapping));
    int[] mapped = new int[labels.size()];
    for (int i = 0; i < mapped.length; i++) {
      mapped[i] = coarse.add(mapping.apply(labels.get(i)));
    }
    for (int i = 0; i < values.length; i++) {
      coarse.values[i] = mapped[values[i]];
    }
    return coarse;
  }

  String name() {
    return name;
  }

  int[] axes() {
    return axes;
  }

  /**
   * Whether its value is the same for all reductions of one element type. That is always so if
   * several axes decide it.
   */
  boolean isByType() {
    return axes.length > 1 || axes[0] != Axes.REDUCTION;
  }

  /** The names of its values. */
  List<String> labels() {
    return labels;
  }

  /** The index of its value in a row. */
  int in(int[] row) {
    return values[axes.length == 1 ? row[axes[0]] : indexOf(row)];
  }

  /** The index of its value in a case; -1 if no case of the matrix has that value. */
  int in(CollectiveCase c) {
    return labels.indexOf(label.apply(c));
  }
}
