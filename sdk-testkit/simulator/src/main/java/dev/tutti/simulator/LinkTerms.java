package dev.tutti.simulator;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * The cost of a message between two ranks of one level, in the terms of LogGP (Alexandrov, Ionescu,
 * Schauser, Scheiman: LogGP, SPAA 1995).
 *
 * @param latency picoseconds in flight, during which the message holds no port (L, or α)
 * @param overhead picoseconds that a message holds the ports at both ends beyond its bytes (o)
 * @param beta the time that a byte holds the ports (G, or β)
 * @param hasOwnPort whether the ranks have ports for this level alone, such as a network card
 *     beside a fabric inside the node; if not, messages use the ports of the level below
 */
public record LinkTerms(long latency, long overhead, PerByte beta, boolean hasOwnPort) {

  /** Checks the ranges. */
  public LinkTerms {
    if (latency < 0 || overhead < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "latency and overhead must be 0 picoseconds or more. Actual: latency=%d, overhead=%d",
          latency,
          overhead);
    }
  }

  /** Terms without overhead, on the ports of the level below. */
  public static LinkTerms of(long latency, PerByte beta) {
    return new LinkTerms(latency, 0, beta, false);
  }

  /** The same terms on own ports, or on the ports of the level below. */
  public LinkTerms withOwnPort(boolean isOwn) {
    return new LinkTerms(latency, overhead, beta, isOwn);
  }

  /** The same with another overhead in picoseconds. */
  public LinkTerms withOverhead(long newOverhead) {
    return new LinkTerms(latency, newOverhead, beta, hasOwnPort);
  }
}
