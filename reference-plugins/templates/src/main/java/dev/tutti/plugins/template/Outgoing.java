package dev.tutti.plugins.template;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * A message to a peer, which has the matching {@link Incoming}: the peer reads it over a direct
 * link, this rank writes it over an RDMA link. See {@link Exchange}.
 *
 * @param link the link to the peer
 * @param src the source, in this rank's memory
 * @param dstType the peer's memory that receives it
 * @param dstOffset bytes from the start of that memory
 */
public record Outgoing(Link link, DeviceMem src, TransportMemType dstType, long dstOffset) {

  /**
   * A message to the place at the peer that corresponds to one of this rank.
   *
   * @param place that place in this rank's own memory
   */
  public Outgoing(Link link, DeviceMem src, DeviceMem place) {
    this(link, src, place.type(), place.offset());
  }

  /**
   * Signals that the source may be read.
   *
   * @param offer the notify of this signal
   */
  void open(Stream stream, int offer) {
    if (isPulled(link)) {
      link.post(stream, offer);
    }
  }

  /** Writes over an RDMA link; over a direct link, the peer reads. */
  void move(Stream stream) {
    if (!isPulled(link)) {
      link.await(stream, Link.READY);
      link.write(stream, link.remote(dstType).slice(dstOffset, src.size()), src);
      link.post(stream, Link.FIN);
    }
  }

  /** Waits until the source has been read. */
  void close(Stream stream) {
    if (isPulled(link)) {
      link.await(stream, Link.FIN_ACK);
    }
  }

  static boolean isPulled(Link link) {
    return link.protocol() == Protocol.DIRECT;
  }
}
