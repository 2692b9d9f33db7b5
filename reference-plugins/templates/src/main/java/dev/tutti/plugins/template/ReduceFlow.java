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
 * Moves partial results to a root. A rank opens its result, combines what its peers offer with its
 * own operand, and offers the result to the next rank.
 *
 * <p>Over direct links, the receiver pulls: it combines the peers' operands, in the peers' memory,
 * with its own in one pass. Over RDMA links, the sender pushes: it combines its operand into the
 * receiver's result, which already holds the receiver's operand. Spans that belong together have
 * the same offset in their memories.
 *
 * @param stream where everything is emitted
 * @param dataType the element type
 * @param reduceOp the reduction
 */
public record ReduceFlow(Stream stream, DataType dataType, ReduceOp reduceOp) {

  /*
   * One-bit signals are enough. Over direct links, READY and FIN_ACK alternate on each link,
   * because the sender awaits FIN_ACK before it offers again. Over RDMA links, READY and FIN
   * alternate. Two peers never combine into one result at the same time, because the second is
   * admitted after the first is done. A Push over the same link does not interfere: over a direct
   * link, only the Push uses FIN.
   */

  /**
   * The receiver's first half: opens its result to the first peer. It may run before the previous
   * result has been offered, so that both transfers overlap.
   *
   * @param first the first link of {@link #combine}
   * @param result the memory for the result
   * @param operand this rank's operand; may be {@code result}
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
   * @param links the links to the peers, in the order in which their operands are combined
   * @param offered the kind of memory that each of them offers, in the same order
   * @param result the memory for the result
   * @param operand this rank's operand; may be {@code result}
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
   * The sender's first half: offers an operand, which must not change until {@link #awaitTaken}.
   *
   * @param link the link to the receiver
   * @param operand the offered operand
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

  /** The sender's second half: waits until the receiver has consumed the offer. */
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
