package dev.tutti.verifier.matrix;

import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * The worth of a row: the sum of the worths of its combinations in some interactions. The sum is
 * computed so often that one array holds all combinations.
 */
final class RowWorth {

  /**
   * The most factors of an interaction; an interaction with fewer factors has steps of 0 at its
   * end.
   */
  private static final int PLACES = 3;

  private final List<Interaction> interactions;
  private final IntToLongFunction worthOfVisits;
  private final int[] starts;
  private final int[] numbers;
  private final int[] steps;
  private final long[] worth;

  /**
   * Starts with the current visits of the interactions.
   *
   * @param interactions the interactions, whose factors must be numbered
   * @param worthOfVisits the worth of a combination, given how often it has been visited
   */
  RowWorth(List<Interaction> interactions, IntToLongFunction worthOfVisits) {
    this.interactions = List.copyOf(interactions);
    this.worthOfVisits = worthOfVisits;
    this.starts = new int[interactions.size()];
    this.numbers = new int[interactions.size() * PLACES];
    this.steps = new int[numbers.length];
    int size = 0;
    for (int i = 0; i < starts.length; i++) {
      Interaction interaction = interactions.get(i);
      starts[i] = size;
      size += interaction.size();
      for (int place = 0; place < interaction.factors().size(); place++) {
        numbers[i * PLACES + place] = interaction.number(place);
        steps[i * PLACES + place] = interaction.step(place);
      }
    }
    this.worth = new long[size];
    for (int i = 0; i < starts.length; i++) {
      for (int combination = 0; combination < interactions.get(i).size(); combination++) {
        update(i, combination);
      }
    }
  }

  private void update(int i, int combination) {
    worth[starts[i] + combination] =
        worthOfVisits.applyAsLong(interactions.get(i).visits(combination));
  }

  /**
   * Visits the combinations of a row.
   *
   * @param values of all factors
   */
  void visit(int[] values) {
    for (int i = 0; i < starts.length; i++) {
      int combination = interactions.get(i).atValues(values);
      interactions.get(i).visit(combination);
      update(i, combination);
    }
  }

  /**
   * The worth of a row.
   *
   * @param values of all factors
   */
  long of(int[] values) {
    long sum = 0;
    for (int i = 0, at = 0; i < starts.length; i++, at += PLACES) {
      int combination =
          values[numbers[at]] * steps[at]
              + values[numbers[at + 1]] * steps[at + 1]
              + values[numbers[at + 2]] * steps[at + 2];
      sum += worth[starts[i] + combination];
    }
    return sum;
  }
}
