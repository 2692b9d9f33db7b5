package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/**
 * Cuts the vector of a round into segments, so that nodes work on one segment while lanes work on
 * another.
 */
final class Segments {

  static final AlgParameter<Long> SEGMENT =
      AlgParameter.integer(
          "segment-bytes",
          "most bytes of a segment; nodes and lanes work on different segments at the same time",
          1 << 20,
          128,
          1L << 40);

  private Segments() {}

  /** Segments that differ by one element at most; a single segment if there is only one node. */
  static List<Slice> of(AllReduceParam param, long count) {
    int elementSize = param.dataType().size();
    long segment = SEGMENT.in(param.options()) / elementSize;
    boolean isWhole = count == 0 || param.comm().topology().nodeCount() == 1;
    long number = isWhole ? 1 : Math.ceilDiv(count, segment);
    return Slice.partition(count, Math.toIntExact(number), elementSize);
  }
}
