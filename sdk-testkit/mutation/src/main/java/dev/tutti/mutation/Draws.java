package dev.tutti.mutation;

import java.util.List;
import java.util.Random;

/** Random choices. */
final class Draws {

  private Draws() {}

  static <T> T of(List<T> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }
}
