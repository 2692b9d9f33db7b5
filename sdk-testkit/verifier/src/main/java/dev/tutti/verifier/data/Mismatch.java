package dev.tutti.verifier.data;

/**
 * A wrong element of a result.
 *
 * @param rank the rank whose output has the element
 * @param element its index in that output
 * @param expected the expected value as text, with the tolerance if there is one
 * @param actual the actual value as text
 */
public record Mismatch(int rank, long element, String expected, String actual) {

  @Override
  public String toString() {
    return "rank "
        + rank
        + ", element "
        + element
        + ": expected "
        + expected
        + ", actual "
        + actual;
  }
}
