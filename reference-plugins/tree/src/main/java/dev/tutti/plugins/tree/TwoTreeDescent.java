package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.plugins.tree.TwoTreeStep.Hop;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import java.util.List;

/**
 * A broadcast down two trees, in the steps of their schedule.
 *
 * @param seat the position of this rank
 * @param links the links of each tree
 * @param push moves the segments
 * @param data the memory of the segments, at the latest after they have arrived
 * @param output the memory in which they arrive, at the same place on all ranks
 */
record TwoTreeDescent(
    TwoTreeSeat seat, List<SubCommInfo> links, Push push, DeviceMem data, DeviceMem output) {

  /**
   * Emits all steps. A rank is open for one segment at a time, so that segments do not mix.
   *
   * @param segments the segments of each tree in the vector
   */
  void run(List<List<Slice>> segments) {
    for (TwoTreeStep step : seat.steps(segments, false)) {
      step.received().forEach(hop -> push.open(link(hop)));
      for (Hop hop : step.sent()) {
        Slice segment = segments.get(hop.tree()).get(hop.segment());
        push.send(link(hop), link(hop).remote(output.slice(segment)), data.slice(segment));
      }
      step.received().forEach(hop -> push.receive(link(hop)));
    }
  }

  private Link link(Hop hop) {
    return links.get(hop.tree()).link(seat.peer(hop));
  }
}
