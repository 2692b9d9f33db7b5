package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Cuts the vector of a round into segments, so that a rank hands on one while it receives the next.
 */
final class Segments {

  static final AlgParameter<Long> SEGMENT =
      AlgParameter.integer(
          "segment-bytes",
          "most bytes that a rank takes before it passes them on",
          64 << 10,
          128,
          1L << 40);

  private Segments() {}

  /** Segments that differ by one element at most; one or more, for a count of one or more. */
  static List<Slice> of(OpParam param, long count, DataType type) {
    return Slice.partition(count, Math.toIntExact(number(param, count, type)), type.size());
  }

  /** The number of segments; 0 for a count of 0. */
  static long number(OpParam param, long count, DataType type) {
    return isWhole(param)
        ? Math.min(1, count)
        : Math.ceilDiv(count, SEGMENT.in(param.options()) / type.size());
  }

  /**
   * Whether there is only one segment: with two ranks, no rank hands on what it receives, so over
   * direct links one rank reads everything at once.
   */
  private static boolean isWhole(OpParam param) {
    return param.comm().rankSize() == 2 && isPulled(param);
  }

  /** Whether ranks read from each other, as they do over direct links. */
  static boolean isPulled(OpParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /** The bytes of the largest segment; 0 for a count of 0. */
  static long largest(OpParam param, long count, DataType type) {
    return count == 0 ? 0 : Math.ceilDiv(count, number(param, count, type)) * type.size();
  }
}
