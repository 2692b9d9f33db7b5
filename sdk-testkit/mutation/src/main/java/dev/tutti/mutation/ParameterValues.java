package dev.tutti.mutation;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import java.util.ArrayList;
import java.util.List;

/** Values of an algorithm's parameters that are likely to give different plans. */
final class ParameterValues {

  private ParameterValues() {}

  /**
   * First the defaults. Then, for each parameter, every choice or the smallest number, with the
   * defaults of the others.
   */
  static List<AlgOptions> of(CollExecutorBase<?> executor) {
    List<AlgOptions> all = new ArrayList<>();
    all.add(AlgOptions.none());
    for (AlgParameter<?> parameter : executor.parameters()) {
      for (String value : of(parameter)) {
        all.add(AlgOptions.none().with(parameter.name(), value));
      }
    }
    return all;
  }

  /** The values in {@link AlgParameter#range}: all choices, or the start of a range. */
  static List<String> of(AlgParameter<?> parameter) {
    String range = parameter.range();
    return range.contains(" | ")
        ? List.of(range.split(" \\| "))
        : List.of(range.substring(0, range.indexOf(" to ")));
  }
}
