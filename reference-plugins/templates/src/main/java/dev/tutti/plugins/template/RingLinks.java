package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;

/**
 * A rank's two links in a ring, and the handshake that ring algorithms put around their transfers.
 * With two ranks, both are the same link.
 *
 * @param left the link it receives over, from the previous rank
 * @param right the link it sends over, to the next rank
 */
public record RingLinks(Link left, Link right) {

  /*
   * Why this is correct under every schedule. Each rank runs all its steps on one stream, and a
   * step is: READY to the left, await READY from the right, send (FIN to the right), receive (await
   * FIN from the left).
   *
   * No signal is lost. A rank posts READY of step s + 1 after it awaited FIN of step s, which its
   * left neighbour posted after it awaited READY of step s: that READY is consumed. In the same way
   * FIN of step s + 1 follows READY of step s + 1, which follows the await of FIN of step s.
   *
   * No data race under RDMA. The left neighbour writes during step s only after READY of step s, so
   * this rank has finished all earlier steps; in step s itself this rank reads the slice it sends,
   * which is never the one it receives.
   *
   * No data race under DIRECT. The right neighbour reads a slice after FIN, so after this rank's
   * last write to it. Within one template, a rank never receives a slice that it has sent, and
   * never writes a slice into memory from which it sends it unreduced. The next write comes after
   * close(), which awaits the right neighbour's signal that all its reads are done.
   */

  /** The links of this rank in the ring of all members. */
  public static RingLinks of(SubCommInfo comm) {
    return new RingLinks(comm.left(), comm.right());
  }

  /** Opens a step, after both neighbours have finished the previous one. */
  public void open(Stream stream) {
    left.txAck(stream);
    right.rxAck(stream);
  }

  /** Closes the last step: afterwards no neighbour accesses this rank's memory. */
  public void close(Stream stream) {
    left.rxWaitDone(stream);
    right.txWaitDone(stream);
  }
}
