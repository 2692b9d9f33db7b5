package dev.tutti.plugins.tree;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/**
 * The segments of a pipeline: a vector that takes h hops arrives after {@code (h - 1 + s)(α +
 * n/s·β)} if it travels in s segments.
 *
 * @param bytes the size of a segment before rounding
 */
record Segments(long bytes) {

  static final AlgParameter<Long> SEGMENT_BYTES =
      AlgParameter.integer(
          "segment-bytes",
          "bytes of one pipeline step; 0 chooses by size and ranks",
          0,
          0,
          1 << 30);

  /** α/β, to an order of magnitude: the bytes that take as long as the latency of a message. */
  private static final long LATENCY_BYTES = 8 << 10;

  private static final int LINE_BYTES = 128;

  /**
   * The caller's choice, or otherwise the size that minimizes the time above: s = √((h-1)n·β/α).
   *
   * @param bytes the size of the vector
   * @param hops the number of messages that bring a segment to the last rank
   */
  static Segments of(OpParam param, long bytes, int hops) {
    long wanted = SEGMENT_BYTES.in(param.options());
    if (wanted > 0) {
      return new Segments(wanted);
    }
    double best = Math.sqrt((double) bytes * LATENCY_BYTES / Math.max(1, hops - 1));
    return new Segments(hops <= 1 ? Long.MAX_VALUE : Math.max(LINE_BYTES, (long) best));
  }

  /** The segments of a vector, in whole cache lines if they are that long; none is empty. */
  List<Slice> of(long count, DataType dataType) {
    long alignment = bytes < LINE_BYTES ? 1 : LINE_BYTES / dataType.size();
    return Slice.partition(
        count, number(count * dataType.size(), dataType), dataType.size(), alignment);
  }

  /** The number of segments of a vector of some bytes. */
  int number(long vectorBytes, DataType dataType) {
    long number = Math.ceilDiv(vectorBytes, Math.max(bytes, dataType.size()));
    return Math.toIntExact(Math.max(1, number));
  }

  /**
   * The time of a chain for a vector without reductions: {@code (p-2+s)(α + n/s·β)}. Further rounds
   * follow at once, except for one step, in which the second rank still sends on what it has
   * received.
   *
   * @param ranks the length of the chain
   * @param count elements of the vector
   * @param perRound elements of a round, except the last one
   */
  Cost chainCost(int ranks, long count, long perRound, DataType dataType) {
    if (ranks == 1 || count == 0) {
      return new Cost(0, 0, 0);
    }
    Rounds rounds = Rounds.of(count, perRound);
    double steps = rounds.sum(inRound -> number(inRound * dataType.size(), dataType));
    if (ranks == 2) {
      return new Cost(steps, count * dataType.size(), 0);
    }
    double segment = rounds.full() == 0 ? 0 : mean(perRound, dataType);
    double last = mean(rounds.last(), dataType);
    double waits = rounds.full() * segment + (ranks - 3) * Math.max(segment, last) + last;
    return new Cost(ranks - 2 + rounds.full() + steps, waits + count * dataType.size(), 0);
  }

  /** The average bytes of a segment of a round. */
  private double mean(long count, DataType dataType) {
    double bytesOfRound = count * dataType.size();
    return bytesOfRound / number((long) bytesOfRound, dataType);
  }
}
