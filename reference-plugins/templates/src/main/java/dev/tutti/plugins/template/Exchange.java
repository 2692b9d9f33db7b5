package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import java.util.List;

/**
 * Messages that one rank sends and receives at once, at most one each way over a link. It takes two
 * signals for a message, in either protocol: sources do not change and destinations are not used
 * while it runs, so the paired verbs' third one has nothing to say.
 *
 * @param sent the messages to peers, in the order in which they are written
 * @param received the messages from peers, in the order in which they are read
 */
public record Exchange(List<Outgoing> sent, List<Incoming> received) {

  /*
   * Why this is right under every schedule, if the ranks run their exchanges in one common order.
   *
   * It ends. First come posts, which never wait. A write awaits only such a post, a read too; the
   * remaining awaits are for a write or a read that waits for nothing else.
   *
   * No signal is lost. Over a direct link the sender posts READY, and posts it again only after the
   * FIN_ACK that the receiver posts after it awaited READY. Over an RDMA link it is READY of the
   * receiver and FIN of the sender in the same way. The two directions of a link have notifies of
   * their own.
   *
   * Nor is one in the next operation, or after the last one. Only READY is posted to a peer of which
   * this rank has not heard yet, and none of the other templates leaves a READY behind that its
   * poster does not know to be taken; they may leave a FIN.
   *
   * No data race. Transfers lie between the signal of the memory's owner that opens it and the one
   * that it awaits before it goes on.
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

  /** Emits it. Afterwards no peer accesses this rank's memory of these messages any more. */
  public void run(Stream stream) {
    run(stream, () -> {});
  }

  /**
   * The same with something else to do while peers take what is sent.
   *
   * @param meanwhile emits what may read the sources, and touches no destination
   */
  public void run(Stream stream, Runnable meanwhile) {
    run(stream, Link.READY, meanwhile);
  }

  /**
   * The same after senders have told their receivers READY, for something else, and heard it from
   * them: over direct links FIN takes its place, as nobody knows that READY has been taken.
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
