package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps in which a rank sends to one peer and receives from the same or another one. Either all
 * steps move data, or all steps combine it with an operand of the receiver. After a step, no peer
 * accesses this rank's memory.
 */
public final class Exchanges {

  /*
   * Why this is correct under every schedule. Let a send to b. Over direct links a posts READY, b
   * awaits it, reads and posts FIN_ACK, and a awaits that before its step ends. Over RDMA links b
   * posts READY, a awaits it, writes and posts FIN, and b awaits that before its step ends. So
   * outside its steps, no peer accesses a rank's memory.
   *
   * No signal is lost, within an operation or between two. Over direct links, a posts READY again
   * only after FIN_ACK, which followed the await of READY. And b posts FIN_ACK again only after
   * that new READY, so after the await of FIN_ACK. Over RDMA links, the same is true of READY and
   * FIN.
   */

  private final SubCommInfo comm;
  private final Stream stream;
  private final @Nullable DataType dataType;
  private final @Nullable ReduceOp reduceOp;

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
    give(sent);
    take(received, operand);
    finish(sent);
  }

  /** Sends only. */
  public void send(Transfer sent) {
    give(sent);
    finish(sent);
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

  /** If the peer pushes, puts the operand into the memory that it writes, and opens that memory. */
  private void admit(Transfer received, DeviceMem operand) {
    Link link = comm.link(received.peer());
    if (pushes(link)) {
      if (!operand.equals(received.here())) {
        stream.copy(received.here(), operand);
      }
      link.txAck(stream);
    }
  }

  private void give(Transfer sent) {
    Link link = comm.link(sent.peer());
    if (!pushes(link)) {
      link.txAck(stream);
      return;
    }
    link.rxAck(stream);
    if (dataType == null || reduceOp == null) {
      link.txAsync(stream, sent.type(), sent.offset(), sent.here());
    } else {
      link.txWithReduce(stream, sent.type(), sent.offset(), sent.here(), dataType, reduceOp);
    }
  }

  private void take(Transfer received, DeviceMem operand) {
    Link link = comm.link(received.peer());
    if (pushes(link)) {
      link.await(stream, Link.FIN);
      return;
    }
    link.rxAck(stream);
    DeviceMem there = link.remote(received.type()).slice(received.offset(), received.here().size());
    if (dataType == null || reduceOp == null) {
      link.read(stream, received.here(), there);
    } else {
      stream.reduceFrom(received.here(), List.of(operand, there), dataType, reduceOp);
    }
    link.rxWaitDone(stream);
  }

  /** If the peer pulls, waits until it has read. */
  private void finish(Transfer sent) {
    Link link = comm.link(sent.peer());
    if (!pushes(link)) {
      link.txWaitDone(stream);
    }
  }

  private static boolean pushes(Link link) {
    return link.protocol() == Protocol.RDMA;
  }
}
