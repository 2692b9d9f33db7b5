package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * One message to or from a peer, as one rank sees it.
 *
 * @param peer the peer's rank in the sub-communicator
 * @param here the span of this rank
 * @param type the peer's kind of memory
 * @param offset the start of the peer's span of the same size, in bytes from the start of that
 *     memory
 */
public record Transfer(int peer, DeviceMem here, TransportMemType type, long offset) {

  /** A transfer between a span and the same place at the peer. */
  public static Transfer atSamePlace(int peer, DeviceMem here) {
    return new Transfer(peer, here, here.type(), here.offset());
  }
}
