package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a rank that sends to each peer at most once, and receives from each at most once,
 * before it closes. Either all transfers move data, or all combine it with an operand of the
 * receiver. What was sent or received must stay unchanged until the close, but for what later steps
 * combine into what was received.
 */
public final class Exchanges {

  /*
   * Why this is right under every schedule. Let a send to b. Over direct links a posts FIN, b
   * awaits it, reads and posts FIN_ACK, which a awaits when it closes. Over RDMA links b posts
   * READY, a awaits it, writes and posts FIN, and b awaits that. So b's memory is written by b
   * itself or between READY and FIN, a's is read between FIN and FIN_ACK or by a itself, and after
   * its close a rank's memory is its own.
   *
   * No signal is lost: each bit is set once between two closes, and the next time only after it
   * was awaited. FIN over direct links and READY over RDMA links are posted by a rank that has
   * closed, so it has awaited FIN_ACK or FIN, which came after the await of the bit in question.
   * FIN_ACK follows such a FIN, and FIN over RDMA links such a READY, whose sender has closed and
   * so awaited the former one.
   */

  private final SubCommInfo comm;
  private final Stream stream;
  private final @Nullable DataType dataType;
  private final @Nullable ReduceOp reduceOp;
  private final List<Link> destinations = new ArrayList<>();

  private Exchanges(
      SubCommInfo comm, Stream stream, @Nullable DataType dataType, @Nullable ReduceOp reduceOp) {
    this.comm = comm;
    this.stream = stream;
    this.dataType = dataType;
    this.reduceOp = reduceOp;
  }

  /** Steps that move data. */
  public static Exchanges moving(SubCommInfo comm, Stream stream) {
    return new Exchanges(comm, stream, null, null);
  }

  /** Steps that combine what is received with an operand of the receiver. */
  public static Exchanges reducing(
      SubCommInfo comm, Stream stream, DataType dataType, ReduceOp reduceOp) {
    return new Exchanges(comm, stream, dataType, reduceOp);
  }

  /** Sends and receives at once. */
  public void exchange(Transfer sent, Transfer received) {
    exchange(sent, received, received.here());
  }

  /**
   * Sends and receives at once: {@code received.here() = operand ⊕ what the peer sends}.
   *
   * @param operand the receiver's operand; unused if data is only moved
   */
  public void exchange(Transfer sent, Transfer received, DeviceMem operand) {
    admit(received, operand);
    send(sent);
    take(received, operand);
  }

  /** Sends only. */
  public void send(Transfer sent) {
    Link link = comm.link(sent.peer());
    if (pushes(link)) {
      link.rxAck(stream);
    }
    if (dataType == null || reduceOp == null) {
      link.txAsync(stream, sent.type(), sent.offset(), sent.here());
    } else {
      link.txWithReduce(stream, sent.type(), sent.offset(), sent.here(), dataType, reduceOp);
    }
    destinations.add(link);
  }

  /** Receives only. */
  public void receive(Transfer received) {
    receive(received, received.here());
  }

  /**
   * Receives only: {@code received.here() = operand ⊕ what the peer sends}.
   *
   * @param operand the receiver's operand; unused if data is only moved
   */
  public void receive(Transfer received, DeviceMem operand) {
    admit(received, operand);
    take(received, operand);
  }

  /** A peer that pushes finds the operand where it writes. */
  private void admit(Transfer received, DeviceMem operand) {
    Link link = comm.link(received.peer());
    if (pushes(link)) {
      if (!operand.equals(received.here())) {
        stream.copy(received.here(), operand);
      }
      link.txAck(stream);
    }
  }

  private void take(Transfer received, DeviceMem operand) {
    Link link = comm.link(received.peer());
    link.await(stream, Link.FIN);
    if (pushes(link)) {
      return;
    }
    DeviceMem there = link.remote(received.type()).slice(received.offset(), received.here().size());
    if (dataType == null || reduceOp == null) {
      link.read(stream, received.here(), there);
    } else {
      stream.reduceFrom(received.here(), List.of(operand, there), dataType, reduceOp);
    }
    link.rxWaitDone(stream);
  }

  private static boolean pushes(Link link) {
    return link.protocol() == Protocol.RDMA;
  }

  /** Afterwards no peer accesses this rank's memory, and its links may be used again. */
  public void close() {
    destinations.stream().filter(link -> !pushes(link)).forEach(link -> link.txWaitDone(stream));
    destinations.clear();
  }
}
