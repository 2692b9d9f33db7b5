package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;

/** A link of one rank while its plan is recorded. Lowers the paired verbs by protocol. */
final class RecordingLink implements Link {

  private final ActionSink actions;
  private final int link;
  private final LinkKind kind;
  private final int peer;

  RecordingLink(ActionSink actions, int link) {
    this.actions = actions;
    this.link = link;
    this.kind = actions.links().kind(link);
    this.peer = actions.links().peer(link);
  }

  @Override
  public int remoteUserRank() {
    return peer;
  }

  @Override
  public Protocol protocol() {
    return kind.protocol();
  }

  @Override
  public int notifyNum() {
    return kind.notifyCount();
  }

  @Override
  public DeviceMem remote(TransportMemType type) {
    checkRegistered(type);
    return actions.mem(peer, type);
  }

  private void checkRegistered(TransportMemType type) {
    if (!kind.registers(type)) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "the link from rank %d to rank %d registers %s and %s memory. Actual: %s; ask for it in"
              + " calcResRequest",
          actions.rank(),
          peer,
          kind.inputMemType().label(),
          kind.outputMemType().label(),
          type.label());
    }
  }

  // ---- explicit verbs

  @Override
  public void read(Stream stream, DeviceMem localDst, DeviceMem remoteSrc) {
    actions.checkLocal(localDst, "the destination of a read");
    checkRemote(remoteSrc, "the source of a read");
    actions.copy(RecordingStream.id(stream, actions), localDst, remoteSrc);
  }

  @Override
  public void readReduce(
      Stream stream,
      DeviceMem localDst,
      DeviceMem remoteSrc,
      DataType dataType,
      ReduceOp reduceOp) {
    actions.checkLocal(localDst, "the destination of a read");
    checkRemote(remoteSrc, "the source of a read");
    actions.reduce(RecordingStream.id(stream, actions), localDst, remoteSrc, dataType, reduceOp);
  }

  @Override
  public void write(Stream stream, DeviceMem remoteDst, DeviceMem localSrc) {
    actions.checkLocal(localSrc, "the source of a write");
    checkRemote(remoteDst, "the destination of a write");
    actions.copy(RecordingStream.id(stream, actions), remoteDst, localSrc);
  }

  @Override
  public void writeReduce(
      Stream stream,
      DeviceMem remoteDst,
      DeviceMem localSrc,
      DataType dataType,
      ReduceOp reduceOp) {
    actions.checkLocal(localSrc, "the source of a write");
    checkRemote(remoteDst, "the destination of a write");
    actions.reduce(RecordingStream.id(stream, actions), remoteDst, localSrc, dataType, reduceOp);
  }

  @Override
  public void post(Stream stream, int index) {
    actions.syncLink(ActionKind.POST, RecordingStream.id(stream, actions), link, index);
  }

  @Override
  public void await(Stream stream, int index) {
    actions.syncLink(ActionKind.AWAIT, RecordingStream.id(stream, actions), link, index);
  }

  private void checkRemote(DeviceMem mem, String what) {
    ActionSink.checkOwner(mem, peer, what);
    checkRegistered(mem.type());
  }

  // ---- paired verbs

  private boolean pushes() {
    return kind.protocol() == Protocol.RDMA;
  }

  @Override
  public void txAck(Stream stream) {
    post(stream, READY);
  }

  @Override
  public void rxAck(Stream stream) {
    await(stream, READY);
  }

  @Override
  public void txAsync(Stream stream, TransportMemType dstType, long dstOffset, DeviceMem src) {
    txData(stream, dstType, dstOffset, src);
    txDataSignal(stream);
  }

  @Override
  public void rxAsync(Stream stream, TransportMemType srcType, long srcOffset, DeviceMem dst) {
    rxData(stream, srcType, srcOffset, dst);
    rxDataSignal(stream);
  }

  @Override
  public void txWithReduce(
      Stream stream,
      TransportMemType dstType,
      long dstOffset,
      DeviceMem src,
      DataType dataType,
      ReduceOp reduceOp) {
    if (pushes()) {
      writeReduce(stream, span(dstType, dstOffset, src), src, dataType, reduceOp);
    }
    post(stream, FIN);
  }

  @Override
  public void rxWithReduce(
      Stream stream,
      TransportMemType srcType,
      long srcOffset,
      DeviceMem dst,
      DataType dataType,
      ReduceOp reduceOp) {
    await(stream, FIN);
    if (!pushes()) {
      readReduce(stream, dst, span(srcType, srcOffset, dst), dataType, reduceOp);
    }
  }

  @Override
  public void txData(Stream stream, TransportMemType dstType, long dstOffset, DeviceMem src) {
    if (pushes()) {
      write(stream, span(dstType, dstOffset, src), src);
    }
  }

  @Override
  public void txDataSignal(Stream stream) {
    post(stream, FIN);
  }

  @Override
  public void rxData(Stream stream, TransportMemType srcType, long srcOffset, DeviceMem dst) {
    if (!pushes()) {
      await(stream, FIN);
      read(stream, dst, span(srcType, srcOffset, dst));
    }
  }

  @Override
  public void rxDataSignal(Stream stream) {
    if (pushes()) {
      await(stream, FIN);
    }
  }

  /** The peer's span that pairs with a local one; empty transfers need no registered memory. */
  private DeviceMem span(TransportMemType type, long offset, DeviceMem local) {
    return local.size() == 0
        ? actions.mem(peer, kind.inputMemType()).slice(0, 0)
        : remote(type).slice(offset, local.size());
  }

  @Override
  public void txPrepare(Stream stream) {
    if (pushes()) {
      await(stream, READY);
    } else {
      post(stream, READY);
    }
  }

  @Override
  public void rxPrepare(Stream stream) {
    if (pushes()) {
      post(stream, READY);
    } else {
      await(stream, READY);
    }
  }

  @Override
  public void txDone(Stream stream) {
    await(stream, FIN_ACK);
  }

  @Override
  public void rxDone(Stream stream) {
    post(stream, FIN_ACK);
  }

  @Override
  public void txWaitDone(Stream stream) {
    if (!pushes() || kind.acknowledges()) {
      await(stream, FIN_ACK);
    }
  }

  @Override
  public void rxWaitDone(Stream stream) {
    if (!pushes() || kind.acknowledges()) {
      post(stream, FIN_ACK);
    }
  }

  @Override
  public void dataReceivedAck(Stream stream) {
    post(stream, FIN_ACK);
    await(stream, FIN_ACK);
  }
}
