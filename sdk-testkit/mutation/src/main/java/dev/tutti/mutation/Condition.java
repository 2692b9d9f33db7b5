package dev.tutti.mutation;

import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.function.Predicate;

/**
 * A condition under which an algorithm is wrong.
 *
 * @param axis the axis that decides
 * @param text the condition in words
 */
record Condition(Axis axis, String text, Predicate<CollectiveCase> test) {

  /** The property that a condition tests. */
  enum Axis {
    MODE,
    PROTOCOL,
    PLACE,
    ROUNDS,
    RANKS,
    COUNT,
    ROOT,
    PARAMETER,
    TYPE,
    REDUCTION;

    /** Whether groups, counts or roots decide the condition. */
    boolean isOfSize() {
      return this == ROUNDS || this == RANKS || this == COUNT || this == ROOT;
    }
  }

  boolean holdsIn(CollectiveCase c) {
    return test.test(c);
  }

  @Override
  public String toString() {
    return text;
  }
}
