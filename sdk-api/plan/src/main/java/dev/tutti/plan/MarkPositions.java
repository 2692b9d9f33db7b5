package dev.tutti.plan;

import java.util.Arrays;

/** The positions of marks, as far as they are known. Not thread-safe. */
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

  /** Adds other known positions; false if one contradicts a known position. */
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

    /** The difference, in words. */
    String how() {
      return String.valueOf(getMessage());
    }
  }
}
