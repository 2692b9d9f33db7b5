package dev.tutti.plan;

import java.util.Arrays;

/** The positions of marks that are known so far. Not thread-safe. */
final class MarkPositions {

  private static final long UNKNOWN = -1;

  private final long[] positions;

  MarkPositions(int marks) {
    positions = new long[marks];
    Arrays.fill(positions, UNKNOWN);
  }

  /** Sets the position of a mark; false if it has another position already. */
  boolean put(int mark, long position) {
    long known = positions[mark];
    if (known == UNKNOWN) {
      positions[mark] = position;
      return true;
    }
    return known == position;
  }

  /** Adds the positions that others know; false if they contradict these. */
  boolean merge(MarkPositions others) {
    boolean isSame = true;
    for (int mark = 0; mark < positions.length; mark++) {
      long other = others.positions[mark];
      isSame &= other == UNKNOWN || put(mark, other);
    }
    return isSame;
  }

  long[] toArray() {
    return positions;
  }

  /** Ends the comparison of a plan that has another structure. Cheap to create. */
  static final class Differs extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Differs(String how) {
      super(how, null, false, false);
    }

    /** How it differs, in words. */
    String how() {
      return String.valueOf(getMessage());
    }
  }
}
