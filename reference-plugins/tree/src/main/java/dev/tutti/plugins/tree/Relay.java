package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/**
 * A rank in a pipelined broadcast: it receives segment by segment from one peer, and sends each on
 * to others while it receives the next.
 *
 * @param push moves the segments
 * @param from the link to the peer that it receives from; none at the source
 * @param to the links to the peers that it sends to
 */
record Relay(Push push, List<Link> from, List<Link> to) {

  /**
   * Emits all transfers. Without segments it emits nothing, because a peer that sends nothing does
   * not consume the signal that opens the memory.
   *
   * @param data the memory of the segments, at the latest after they have arrived
   * @param output the memory in which they arrive, at the same place as at the peers
   */
  void run(DeviceMem data, DeviceMem output, List<Slice> segments) {
    if (!segments.isEmpty()) {
      from.forEach(push::open);
    }
    for (int i = 0; i < segments.size(); i++) {
      from.forEach(push::receive);
      if (i + 1 < segments.size()) {
        from.forEach(push::open);
      }
      send(data.slice(segments.get(i)), output.slice(segments.get(i)));
    }
  }

  /** Sends one segment on. */
  void send(DeviceMem segment, DeviceMem output) {
    to.forEach(link -> push.send(link, link.remote(output), segment));
  }
}
