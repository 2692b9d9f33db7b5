package dev.tutti.verifier.matrix;

import dev.tutti.sdk.WorkflowMode;
import java.util.Arrays;

/**
 * Estimates the work to check the case of a row: the number of actions if each rank exchanges data
 * with every other rank in each round. The effect of a parameter is unknown, so the estimate
 * assumes that it may cut the vector into small pieces.
 */
final class Effort {

  private static final int UNKNOWN = -1;
  private static final int ELEMENTS_OF_A_PIECE = 32;

  private final Axes axes;
  private final int[] known;
  private final int[] pieces;

  Effort(Axes axes) {
    this.axes = axes;
    int[] sizes = axes.sizes();
    this.known =
        new int
            [sizes[Axes.GROUP] * sizes[Axes.COUNT] * sizes[Axes.REDUCTION] * sizes[Axes.WORKFLOW]];
    this.pieces = new int[known.length];
    Arrays.fill(known, UNKNOWN);
  }

  /** The effort of a row with the defaults of all parameters; 100 for one round of ten ranks. */
  long of(int[] row) {
    return known[at(row)];
  }

  /** The additional work that another value of a parameter may cause. */
  long ofPieces(int[] row) {
    int at = at(row);
    return isPlain(row) ? 0 : (long) known[at] * pieces[at];
  }

  private int at(int[] row) {
    int[] sizes = axes.sizes();
    int at = row[Axes.GROUP];
    at = at * sizes[Axes.COUNT] + row[Axes.COUNT];
    at = at * sizes[Axes.REDUCTION] + axes.firstOfType(row[Axes.REDUCTION]);
    at = at * sizes[Axes.WORKFLOW] + row[Axes.WORKFLOW];
    if (known[at] == UNKNOWN) {
      CollectiveCase c = axes.caseAt(row);
      known[at] = actions(c);
      pieces[at] = (int) Math.min(1000, c.count() / ELEMENTS_OF_A_PIECE);
    }
    return at;
  }

  private static boolean isPlain(int[] row) {
    for (int axis = Axes.FIRST_PARAMETER; axis < row.length; axis++) {
      if (row[axis] > 0) {
        return false;
      }
    }
    return true;
  }

  private static int actions(CollectiveCase c) {
    long ranks = c.comm().rankSize();
    if (c.count() == 0) {
      return 0;
    }
    long rounds = c.comm().mode() == WorkflowMode.GRAPH ? 1 : c.rounds();
    return (int) Math.min(Integer.MAX_VALUE, ranks * ranks * rounds);
  }
}
