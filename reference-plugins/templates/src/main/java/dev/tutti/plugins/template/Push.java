package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import java.util.List;

/**
 * Transfers that the sender makes, over any protocol: two signals and a write each.
 *
 * <p>The receiver opens its memory (READY), the sender awaits that, writes, and says so (FIN). On
 * one link the two signals take turns, so a notify of one bit never loses one; and no rank ever
 * accesses the sender's memory, so a sender that has sent is done.
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
   * @param remoteDst where to, of the peer
   * @param src where from, of this rank
   */
  public void send(Link link, DeviceMem remoteDst, DeviceMem src) {
    send(link, List.of(remoteDst), List.of(src));
  }

  /**
   * The sender's side of data in several pieces.
   *
   * @param remoteDsts where to, of the peer
   * @param srcs where from, of this rank, in the same order
   */
  public void send(Link link, List<DeviceMem> remoteDsts, List<DeviceMem> srcs) {
    link.await(stream, Link.READY);
    for (int i = 0; i < srcs.size(); i++) {
      link.write(stream, remoteDsts.get(i), srcs.get(i));
    }
    link.post(stream, Link.FIN);
  }
}
