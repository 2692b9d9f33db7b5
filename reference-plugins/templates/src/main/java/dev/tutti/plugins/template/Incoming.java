package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * A message from a peer, which has the matching {@link Outgoing}. See {@link Exchange}.
 *
 * @param link the link to the peer
 * @param dst the destination, in this rank's memory
 * @param srcType the peer's memory that holds it
 * @param srcOffset bytes from the start of that memory
 */
public record Incoming(Link link, DeviceMem dst, TransportMemType srcType, long srcOffset) {

  /**
   * A message from the place at the peer that corresponds to one of this rank.
   *
   * @param place that place in this rank's own memory
   */
  public Incoming(Link link, DeviceMem dst, DeviceMem place) {
    this(link, dst, place.type(), place.offset());
  }

  /** Signals that the destination may be written. */
  void open(Stream stream) {
    if (!Outgoing.isPulled(link)) {
      link.post(stream, Link.READY);
    }
  }

  /**
   * Reads over a direct link; over an RDMA link, waits until the peer has written.
   *
   * @param offer the notify of the signal that the source may be read
   */
  void move(Stream stream, int offer) {
    if (Outgoing.isPulled(link)) {
      link.await(stream, offer);
      link.read(stream, dst, link.remote(srcType).slice(srcOffset, dst.size()));
      link.post(stream, Link.FIN_ACK);
    } else {
      link.await(stream, Link.FIN);
    }
  }
}
