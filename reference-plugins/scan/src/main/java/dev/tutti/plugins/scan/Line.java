package dev.tutti.plugins.scan;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * One rank's place in a line: segments come from the rank before it and go to the rank after it.
 * Over direct links a rank reads from the rank before, over RDMA links it is written to, at the
 * start of its scratch memory.
 *
 * @param comm all ranks
 * @param stream where everything is emitted
 * @param segments the number of segments of this round
 */
record Line(SubCommInfo comm, Stream stream, int segments) {

  /*
   * Why this is right under every schedule. A rank waits only for the rank before it to hand on the
   * same segment, and for the rank after it to have taken the segment before, or, over RDMA links,
   * to expect this one, which it does as soon as it has the one before: nobody waits in a circle.
   *
   * Over a direct link READY of a segment is posted after FIN_ACK of the one before was awaited, so
   * after its READY was. Over an RDMA link READY of a segment is posted after FIN of the one before
   * was awaited, and FIN after READY of the same segment: no bit is set twice.
   *
   * A segment is read, or written, between the signal of its owner that it is there, or expected,
   * and the one that its owner awaits: FIN_ACK, or FIN. Each has a place of its own.
   */

  /**
   * The links of a rank to its neighbours.
   *
   * @param sentType the memory that this rank hands on from
   * @param sentTypeBefore the memory that the rank before hands on from
   */
  static OpCommTransport links(
      CommInfo comm, TransportMemType sentType, TransportMemType sentTypeBefore) {
    int rank = comm.rank();
    TransportMemType scratch = TransportMemType.SCRATCH;
    OpCommTransport.Builder links =
        OpCommTransport.builder(comm).pairs(CommPlane.COMBINED, scratch, scratch);
    if (rank > 0) {
      links.pairs(CommPlane.COMBINED, sentTypeBefore, scratch, rank - 1);
    }
    if (rank + 1 < comm.rankSize()) {
      links.pairs(CommPlane.COMBINED, sentType, scratch, rank + 1);
    }
    return links.build();
  }

  boolean isFirst() {
    return comm.localRank() == 0;
  }

  boolean isLast() {
    return comm.localRank() + 1 == comm.localRankSize();
  }

  Link before() {
    return comm.link(comm.localRank() - 1);
  }

  private Link after() {
    return comm.link(comm.localRank() + 1);
  }

  static boolean isPulled(Link link) {
    return link.protocol() == Protocol.DIRECT;
  }

  /** Expects the first segment. */
  void open() {
    if (!isFirst() && !isPulled(before())) {
      before().post(stream, Link.READY);
    }
  }

  /** Waits for a segment; over RDMA links it is in scratch memory then. */
  void await(int segment) {
    if (isPulled(before())) {
      before().await(stream, Link.READY);
      return;
    }
    before().await(stream, Link.FIN);
    if (segment + 1 < segments) {
      before().post(stream, Link.READY);
    }
  }

  /** Says that a segment has been taken, and is not read any more. */
  void taken() {
    if (isPulled(before())) {
      before().post(stream, Link.FIN_ACK);
    }
  }

  /**
   * Hands on a segment.
   *
   * @param src what the rank after this one gets
   * @param offset bytes from the start of its scratch memory
   */
  void handOn(int segment, DeviceMem src, long offset) {
    if (isPulled(after())) {
      if (segment > 0) {
        after().await(stream, Link.FIN_ACK);
      }
      after().post(stream, Link.READY);
    } else {
      after().await(stream, Link.READY);
      DeviceMem scratch = after().remote(TransportMemType.SCRATCH);
      after().write(stream, scratch.slice(offset, src.size()), src);
      after().post(stream, Link.FIN);
    }
  }

  /** Waits until the last segment has been taken. */
  void close() {
    if (!isLast() && isPulled(after())) {
      after().await(stream, Link.FIN_ACK);
    }
  }
}
