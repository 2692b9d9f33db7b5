package dev.tutti.plugins.p2p;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;

/**
 * The loop that both sides of a transfer run, with one handshake for each chunk. The sender's
 * output and the receiver's input are empty, so data flows one way, and 0 bytes flow the other way.
 */
final class ChunkLoop {

  static final AlgParameter<Long> CHUNK =
      AlgParameter.integer(
          "chunk", "most bytes for each handshake, on both sides", 1 << 30, 128, 1L << 40);

  private ChunkLoop() {}

  /*
   * Why this is correct under every schedule. For each chunk, both sides post READY, FIN and
   * FIN_ACK in this order. They post each signal only after they have awaited the other side's
   * previous one, so no bit is set twice. The transfer is between READY and FIN_ACK on both sides,
   * and nothing else touches its memory.
   */

  /** Emits this rank's side of one round. */
  static void run(OpParam param, DataType dataType, ExecMem mem, int peer) {
    Stream stream = mem.resources().mainStream();
    Link link = mem.resources().subComm(CommPlane.COMBINED).link(peer);
    long chunk = chunkBytes(param, dataType);
    for (long offset = 0; offset < mem.count() * dataType.size(); offset += chunk) {
      link.txAck(stream);
      link.rxAck(stream);
      link.txAsync(stream, mem.output().type(), offset, part(mem.input(), offset, chunk));
      link.rxAsync(stream, mem.input().type(), offset, part(mem.output(), offset, chunk));
      link.rxWaitDone(stream);
      link.txWaitDone(stream);
    }
  }

  /** The cost of a transfer; each round has its own chunks. */
  static Cost cost(OpParam param, DataType dataType, long perRound) {
    long bytes = param.messageBytes();
    long round = Math.max(1, perRound * dataType.size());
    long chunk = chunkBytes(param, dataType);
    long rest = bytes % round;
    long chunks = bytes / round * Math.ceilDiv(round, chunk) + Math.ceilDiv(rest, chunk);
    return new Cost(chunks, bytes, 0);
  }

  /** The bytes of a chunk, in whole elements; the last chunk of a message may be shorter. */
  static long chunkBytes(OpParam param, DataType dataType) {
    long bytes = CHUNK.in(param.options());
    return bytes - bytes % dataType.size();
  }

  /** The part of some memory that a chunk covers; empty if the memory is empty. */
  private static DeviceMem part(DeviceMem mem, long offset, long bytes) {
    long start = Math.min(offset, mem.size());
    return mem.slice(start, Math.min(bytes, mem.size() - start));
  }
}
