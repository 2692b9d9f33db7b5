package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;
import java.util.function.Consumer;

/**
 * A rank in a pipelined reduction. Segment by segment, it combines the operands of its peers with
 * its own, while the previous segment is handed on.
 *
 * @param flow combines the segments
 * @param from the links to the peers that offer; none at a leaf
 * @param offered the kind of memory that each of them offers
 */
record Confluence(ReduceFlow flow, List<Link> from, List<TransportMemType> offered) {

  /**
   * Emits all transfers.
   *
   * @param operand this rank's operand; may be {@code result}
   * @param result the memory for the sums; at a leaf, the operand
   * @param sink emits the next actions on each segment of the result
   */
  void run(DeviceMem operand, DeviceMem result, List<Slice> segments, Consumer<DeviceMem> sink) {
    open(operand, result, segments.getFirst());
    for (int i = 0; i < segments.size(); i++) {
      DeviceMem sum = result.slice(segments.get(i));
      if (!from.isEmpty()) {
        flow.combine(from, offered, sum, operand.slice(segments.get(i)));
      }
      if (i + 1 < segments.size()) {
        open(operand, result, segments.get(i + 1));
      }
      sink.accept(sum);
    }
  }

  private void open(DeviceMem operand, DeviceMem result, Slice segment) {
    if (!from.isEmpty()) {
      flow.open(from.getFirst(), result.slice(segment), operand.slice(segment));
    }
  }

  /**
   * {@link #run} with a peer that receives every segment; it may receive one while the next is
   * combined.
   *
   * @param resultType the kind of memory of the peer's result
   */
  void run(
      DeviceMem operand,
      DeviceMem result,
      List<Slice> segments,
      Link to,
      TransportMemType resultType) {
    DeviceMem first = result.slice(segments.getFirst());
    run(
        operand,
        result,
        segments,
        sum -> {
          if (!sum.equals(first)) {
            flow.awaitTaken(to);
          }
          flow.offer(to, sum, resultType);
        });
    flow.awaitTaken(to);
  }
}
