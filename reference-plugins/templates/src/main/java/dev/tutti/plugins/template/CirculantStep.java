package dev.tutti.plugins.template;

/**
 * A step of a {@link CirculantSchedule}.
 *
 * @param distance in an all-gather a rank receives from the rank so far behind it, around the ends
 * @param from the first position of what is sent, at the sender
 * @param to the first position of it at the receiver
 * @param blocks the number of blocks, at consecutive positions
 */
public record CirculantStep(int distance, int from, int to, int blocks) {}
