package dev.tutti.host;

/**
 * The end of a rank's body, after which it makes no more calls.
 *
 * @param order how many ranks departed before it
 * @param reason a sentence about the rank
 */
record Departure(long order, String reason) {}
