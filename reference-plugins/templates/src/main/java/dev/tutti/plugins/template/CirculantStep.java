package dev.tutti.plugins.template;

/**
 * A step of a {@link CirculantSchedule}.
 *
 * @param distance in an all-gather, a rank receives from the rank this far behind it, with
 *     wrap-around
 * @param from the first position of the sent blocks at the sender
 * @param to their first position at the receiver
 * @param blocks the number of blocks, at consecutive positions
 */
public record CirculantStep(int distance, int from, int to, int blocks) {}
