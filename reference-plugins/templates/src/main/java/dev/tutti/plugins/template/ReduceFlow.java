package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * Partial results on their way to a root. A rank opens its result, combines what its peers offer
 * with its own operand, and offers the result to the next rank.
 *
 * <p>Over direct links the receiver pulls: it combines the peers' operands with its own in one
 * pass, from where they lie. Over RDMA links the sender pushes: it combines its operand into the
 * receiver's result, which holds the receiver's operand by then. All spans that belong together lie
 * at one offset of their memories.
 *
 * @param stream where everything is emitted
 * @param dataType the element type
 * @param reduceOp the reduction
 */
public record ReduceFlow(Stream stream, DataType dataType, ReduceOp reduceOp) {

  /*
   * Signals of one bit suffice. Over direct links READY and FIN_ACK take turns on each link, for the
   * sender awaits FIN_ACK before it offers again; over RDMA links READY and FIN do. Two peers never
   * combine into one result at the same time, for the second is let in after the first has been.
   * A Push over the same link does not disturb this: a direct link's FIN is the Push's alone.
   */

  /**
   * The receiver's first half: lets the first peer at its result. May run before the last result
   * has been offered, so that both transfers overlap.
   *
   * @param first the first link of {@link #combine}
   * @param result where the result will be
   * @param operand this rank's own; may be {@code result}
   */
  public void open(Link first, DeviceMem result, DeviceMem operand) {
    if (pulls(first)) {
      return;
    }
    if (!operand.equals(result)) {
      stream.copy(result, operand);
    }
    first.post(stream, Link.READY);
  }

  /**
   * The receiver's second half: {@code result = operand ⊕ first peer's ⊕ second peer's …}.
   *
   * @param links to the peers, in the order in which they are combined
   * @param offered the kind of memory that each of them offers, in the same order
   * @param result where to
   * @param operand this rank's own; may be {@code result}
   */
  public void combine(
      List<Link> links, List<TransportMemType> offered, DeviceMem result, DeviceMem operand) {
    if (pulls(links.getFirst())) {
      pull(links, offered, result, operand);
      return;
    }
    links.getFirst().await(stream, Link.FIN);
    for (Link link : links.subList(1, links.size())) {
      link.post(stream, Link.READY);
      link.await(stream, Link.FIN);
    }
  }

  private void pull(
      List<Link> links, List<TransportMemType> offered, DeviceMem result, DeviceMem operand) {
    List<DeviceMem> operands = new ArrayList<>();
    operands.add(operand);
    for (int i = 0; i < links.size(); i++) {
      links.get(i).await(stream, Link.READY);
      operands.add(at(links.get(i), offered.get(i), result));
    }
    stream.reduceFrom(result, operands, dataType, reduceOp);
    links.forEach(link -> link.post(stream, Link.FIN_ACK));
  }

  /**
   * The sender's first half: offers an operand, which stays as it is until {@link #awaitTaken}.
   *
   * @param link to the receiver
   * @param operand what is offered
   * @param resultType the kind of memory of the receiver's result
   */
  public void offer(Link link, DeviceMem operand, TransportMemType resultType) {
    if (pulls(link)) {
      link.post(stream, Link.READY);
      return;
    }
    link.await(stream, Link.READY);
    link.writeReduce(stream, at(link, resultType, operand), operand, dataType, reduceOp);
    link.post(stream, Link.FIN);
  }

  /** The sender's second half: waits until the offer has been taken. */
  public void awaitTaken(Link link) {
    if (pulls(link)) {
      link.await(stream, Link.FIN_ACK);
    }
  }

  private static boolean pulls(Link link) {
    return link.protocol() == Protocol.DIRECT;
  }

  private static DeviceMem at(Link link, TransportMemType type, DeviceMem local) {
    return link.remote(type).slice(local.offset(), local.size());
  }
}
