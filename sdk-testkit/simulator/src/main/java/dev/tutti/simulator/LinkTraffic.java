package dev.tutti.simulator;

import dev.tutti.sdk.topology.CommPlane;

/**
 * The messages from one rank to another.
 *
 * @param src the rank whose memory is read
 * @param dst the rank whose memory is written
 * @param level the level that the messages cross
 * @param bytes the bytes of all messages
 * @param messages the number of messages
 */
public record LinkTraffic(int src, int dst, CommPlane level, long bytes, long messages) {}
