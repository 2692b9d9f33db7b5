package dev.tutti.cli.tune.network;

/**
 * The time of messages of one size.
 *
 * @param bytes the size of a message
 * @param nanos the time of one message: half a round trip of the fastest batch, because other work
 *     on the machines only makes batches slower
 * @param spread the time of the median batch divided by that of the fastest
 */
record LinkSample(long bytes, double nanos, double spread) {}
