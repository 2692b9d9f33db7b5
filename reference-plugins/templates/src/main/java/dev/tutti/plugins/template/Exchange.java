package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import java.util.List;

/**
 * Messages that one rank sends and receives at the same time, at most one in each direction of a
 * link. A message takes two signals, with either protocol. Sources do not change and destinations
 * are not used during the exchange, so it does not need the third signal of the paired verbs.
 *
 * @param sent the messages to peers, in the order in which they are written
 * @param received the messages from peers, in the order in which they are read
 */
public record Exchange(List<Outgoing> sent, List<Incoming> received) {

  /*
   * Why this is correct under every schedule, if all ranks run their exchanges in the same order.
   *
   * It terminates. The posts come first, and they never wait. Writes and reads await only these
   * posts. The remaining awaits are for a write or a read, which waits for nothing else.
   *
   * No signal is lost. Over a direct link, the sender posts READY. It posts READY again only after
   * FIN_ACK, which the receiver posts after it has awaited READY. Over an RDMA link, the same is
   * true of READY of the receiver and FIN of the sender. The two directions of a link have separate
   * notifies.
   *
   * No signal is lost between operations either. Before the first signal from a peer, a rank posts
   * only READY to it. The other templates may end with a FIN that is not consumed yet. But when
   * they end, the poster of each READY knows that it has been consumed.
   *
   * There is no data race. The owner of the memory posts the signal that opens it before each
   * transfer, and awaits the other signal after it.
   */

  /** Takes immutable copies. */
  public Exchange {
    sent = List.copyOf(sent);
    received = List.copyOf(received);
  }

  /** One message each way. */
  public static Exchange of(Outgoing sent, Incoming received) {
    return new Exchange(List.of(sent), List.of(received));
  }

  /** Emits the exchange. Afterwards, no peer accesses this rank's memory of these messages. */
  public void run(Stream stream) {
    run(stream, () -> {});
  }

  /**
   * The same, with other actions while peers receive.
   *
   * @param meanwhile emits actions that may read the sources, but touch no destination
   */
  public void run(Stream stream, Runnable meanwhile) {
    run(stream, Link.READY, meanwhile);
  }

  /**
   * The same if senders and receivers have just exchanged READY for another purpose. Over direct
   * links, FIN replaces READY, because the sender does not know whether its READY has been
   * consumed.
   */
  public void runAfterReady(Stream stream) {
    run(stream, Link.FIN, () -> {});
  }

  private void run(Stream stream, int offer, Runnable meanwhile) {
    sent.forEach(message -> message.open(stream, offer));
    received.forEach(message -> message.open(stream));
    sent.forEach(message -> message.move(stream));
    received.forEach(message -> message.move(stream, offer));
    meanwhile.run();
    sent.forEach(message -> message.close(stream));
  }
}
