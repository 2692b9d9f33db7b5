package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.plugins.tree.TwoTreeStep.Hop;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A reduction up two trees, in the steps of their schedule in reverse. A leaf offers its operand,
 * and any other rank offers the sum of its subtree.
 *
 * @param seat the position of this rank
 * @param links the links of each tree
 * @param flow combines the segments
 * @param operand this rank's operand; may be {@code result}
 * @param result the memory for the sums, at the same place on all ranks
 */
record TwoTreeAscent(
    TwoTreeSeat seat,
    List<SubCommInfo> links,
    ReduceFlow flow,
    DeviceMem operand,
    DeviceMem result) {

  /**
   * Emits all steps. A rank offers one segment at a time, so that segments do not mix.
   *
   * @param segments the segments of each tree in the vector
   */
  void run(List<List<Slice>> segments) {
    Set<Slice> begun = new HashSet<>();
    for (TwoTreeStep step : seat.steps(segments, true)) {
      for (Hop hop : step.received()) {
        Slice segment = segments.get(hop.tree()).get(hop.segment());
        flow.open(link(hop), result.slice(segment), own(segment, begun));
      }
      for (Hop hop : step.sent()) {
        Slice segment = segments.get(hop.tree()).get(hop.segment());
        DeviceMem offered = seat.isLeaf(hop.tree(), seat.comm().rank()) ? operand : result;
        flow.offer(link(hop), offered.slice(segment), result.type());
      }
      for (Hop hop : step.received()) {
        Slice segment = segments.get(hop.tree()).get(hop.segment());
        flow.combine(
            List.of(link(hop)),
            List.of(offeredType(hop)),
            result.slice(segment),
            own(segment, begun));
        begun.add(segment);
      }
      step.sent().forEach(hop -> flow.awaitTaken(link(hop)));
    }
  }

  /**
   * The operand that the next one is combined with: this rank's own, or the sum that already
   * contains it.
   */
  private DeviceMem own(Slice segment, Set<Slice> begun) {
    return (begun.contains(segment) ? result : operand).slice(segment);
  }

  private TransportMemType offeredType(Hop hop) {
    return (seat.isLeaf(hop.tree(), seat.peer(hop)) ? operand : result).type();
  }

  private Link link(Hop hop) {
    return links.get(hop.tree()).link(seat.peer(hop));
  }
}
