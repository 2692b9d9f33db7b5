package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * How the vector of a round is cut, so that a rank hands on one segment while it takes the next.
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

  /** How many there are; 0 of nothing. */
  static long number(OpParam param, long count, DataType type) {
    return isWhole(param)
        ? Math.min(1, count)
        : Math.ceilDiv(count, SEGMENT.in(param.options()) / type.size());
  }

  /** Two ranks hand nothing on that they have taken; over direct links one reads all at once. */
  private static boolean isWhole(OpParam param) {
    return param.comm().rankSize() == 2 && isPulled(param);
  }

  /** Whether ranks read from each other, which is what direct links are for. */
  static boolean isPulled(OpParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  /** The bytes of the largest one; 0 of nothing. */
  static long largest(OpParam param, long count, DataType type) {
    return count == 0 ? 0 : Math.ceilDiv(count, number(param, count, type)) * type.size();
  }
}
