package dev.tutti.plugins.tree;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * The division of a vector between two trees: each carries one half, in segments.
 *
 * @param segments the segments of a half
 * @param dataType the type of an element
 */
record TwoTreeSegments(Segments segments, DataType dataType) {

  /**
   * The caller's segments, or those that suit a pipeline.
   *
   * @param hops the number of messages that bring a segment to the last rank
   */
  static TwoTreeSegments of(OpParam param, int hops, DataType dataType) {
    return new TwoTreeSegments(
        Segments.of(param, param.messageBytes() / TwoTreeSchedule.TREES, hops), dataType);
  }

  /** The segments of each tree in the vector; none if its half is empty. */
  List<List<Slice>> of(long count) {
    List<List<Slice>> trees = new ArrayList<>();
    for (Slice half : Slice.partition(count, TwoTreeSchedule.TREES, dataType.size())) {
      long elements = half.size() / dataType.size();
      List<Slice> parts = elements == 0 ? List.of() : segments.of(elements, dataType);
      trees.add(
          parts.stream()
              .map(part -> new Slice(half.offset() + part.offset(), part.size()))
              .toList());
    }
    return trees;
  }
}
