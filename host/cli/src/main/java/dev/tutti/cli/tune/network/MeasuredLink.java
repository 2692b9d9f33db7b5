package dev.tutti.cli.tune.network;

import dev.tutti.simulator.PerByte;
import java.util.List;

/**
 * The measurements of one kind of link.
 *
 * @param name the name of its field in a network file: a level, or the uplink of a node
 * @param pairs the number of pairs of ranks that shared the link
 * @param samples the times of a pair's messages by their size
 * @param fit the line through them
 */
record MeasuredLink(String name, int pairs, List<LinkSample> samples, LinkFit fit) {

  /** Fits the line; if several pairs share the link, only the bandwidth. */
  static MeasuredLink of(String name, int pairs, List<LinkSample> samples) {
    LinkFit fit = pairs > 1 ? LinkFit.ofBandwidth(samples.getLast()) : LinkFit.of(samples);
    return new MeasuredLink(name, pairs, List.copyOf(samples), fit);
  }

  /** The cost of a byte for all pairs together. */
  PerByte perByte() {
    return PerByte.bandwidth(Math.round(bytesPerSecond()));
  }

  /** The bandwidth for all pairs together. */
  double bytesPerSecond() {
    return pairs * fit.bytesPerSecond();
  }
}
