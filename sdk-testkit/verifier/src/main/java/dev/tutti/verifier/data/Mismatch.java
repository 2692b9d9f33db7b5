package dev.tutti.verifier.data;

/**
 * A wrong element of a result.
 *
 * @param rank the rank whose output it is in
 * @param element its index in that output, counted in elements
 * @param expected what it should be, as text, with the tolerance if there is one
 * @param actual what it is, as text
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
