package dev.tutti.sdk;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values for an algorithm's parameters, as text and by name. They are the same on every rank.
 * Immutable.
 *
 * @param values the values, sorted by name
 */
public record AlgOptions(Map<String, String> values) {

  private static final AlgOptions NONE = new AlgOptions(Map.of());

  /** Makes a sorted, immutable copy. */
  public AlgOptions {
    Arguments.require(values, "values");
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /** No values: every parameter has its default. */
  public static AlgOptions none() {
    return NONE;
  }

  /** These values and one more. */
  public AlgOptions with(String name, Object value) {
    Arguments.require(name, "name");
    Arguments.require(value, "value");
    Map<String, String> copy = new TreeMap<>(values);
    copy.put(name, value.toString());
    return new AlgOptions(copy);
  }

  /**
   * Checks that every value belongs to a known parameter and is legal.
   *
   * @param parameters the parameters of the algorithm in question
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} or {@link
   *     ErrorCode#INVALID_ARGUMENT}
   */
  public void check(List<AlgParameter<?>> parameters) {
    Arguments.require(parameters, "parameters");
    List<String> known = parameters.stream().map(AlgParameter::name).toList();
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw Names.unknown("algorithm parameter", name, known);
      }
    }
    for (AlgParameter<?> parameter : parameters) {
      parameter.in(this);
    }
  }
}
