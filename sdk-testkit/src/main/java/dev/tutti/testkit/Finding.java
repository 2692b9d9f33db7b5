package dev.tutti.testkit;

/**
 * Something that is wrong with an executor or a plan.
 *
 * @param rule the stable id of the broken rule, for example {@code "SYN-1"}; see the package
 *     description
 * @param message what was found and where
 */
public record Finding(String rule, String message) {

  @Override
  public String toString() {
    return rule + ": " + message;
  }
}
