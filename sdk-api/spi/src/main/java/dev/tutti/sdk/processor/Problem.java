package dev.tutti.sdk.processor;

/**
 * One broken rule, in three clauses.
 *
 * @param rule what must hold
 * @param found what was found instead
 * @param fix what the author can do
 */
record Problem(String rule, String found, String fix) {

  /** The message for the author. */
  String sentence() {
    return rule + ", but " + found + "; " + fix;
  }
}
