package dev.tutti.plugins.template;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.stream.IntStream;

/** The links of a {@link CirculantSchedule}: one in each direction at each distance. */
final class CirculantLinks {

  private CirculantLinks() {}

  static OpCommTransport of(CirculantSchedule schedule, CommInfo comm) {
    int[] peers =
        schedule.steps().stream()
            .mapToInt(CirculantStep::distance)
            .flatMap(d -> IntStream.of(comm.rank() + d, comm.rank() - d))
            .map(peer -> Math.floorMod(peer, comm.rankSize()))
            .toArray();
    return OpCommTransport.pairs(
        comm, CommPlane.COMBINED, TransportMemType.SCRATCH, TransportMemType.SCRATCH, peers);
  }
}
