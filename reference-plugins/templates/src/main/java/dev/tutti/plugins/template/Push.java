package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import java.util.List;

/**
 * Transfers by the sender, over any protocol, with two signals and a write each.
 *
 * <p>The receiver opens its memory (READY). The sender awaits READY, writes, and signals the end
 * (FIN). On one link, the two signals alternate, so one-bit notifies lose none. No other rank
 * accesses the sender's memory, so a sender is done once it has sent.
 *
 * @param stream where everything is emitted
 */
public record Push(Stream stream) {

  /** The receiver's first half: the peer may write. */
  public void open(Link link) {
    link.post(stream, Link.READY);
  }

  /** The receiver's second half: waits until the peer has written. */
  public void receive(Link link) {
    link.await(stream, Link.FIN);
  }

  /**
   * The sender's side.
   *
   * @param remoteDst the destination, in the peer's memory
   * @param src the source, in this rank's memory
   */
  public void send(Link link, DeviceMem remoteDst, DeviceMem src) {
    send(link, List.of(remoteDst), List.of(src));
  }

  /**
   * The sender's side of data in several pieces.
   *
   * @param remoteDsts the destinations, in the peer's memory
   * @param srcs the sources, in this rank's memory, in the same order
   */
  public void send(Link link, List<DeviceMem> remoteDsts, List<DeviceMem> srcs) {
    link.await(stream, Link.READY);
    for (int i = 0; i < srcs.size(); i++) {
      link.write(stream, remoteDsts.get(i), srcs.get(i));
    }
    link.post(stream, Link.FIN);
  }
}
