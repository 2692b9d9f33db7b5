package dev.tutti.plugins.scan;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One rank's place in a line: segments come from the rank before it and go to the rank after it.
 * Over direct links a rank reads from the rank before, over RDMA links it is written to. The first
 * rank has everything from the start, so over direct links it can offer all of it at once.
 *
 * @param comm all ranks
 * @param stream where everything is emitted
 * @param segments the segments of this round; one or more
 * @param landing the memory that a rank is written to
 * @param isOfferedAtOnce whether the first rank does so
 */
record Line(
    SubCommInfo comm,
    Stream stream,
    List<Slice> segments,
    TransportMemType landing,
    boolean isOfferedAtOnce) {

  /*
   * Why this is right under every schedule. A rank waits only for the rank before it to hand on the
   * same segment, and for the rank after it to have taken the segment before, or, over RDMA links,
   * to expect this one, which it does as soon as it has the one before: nobody waits in a circle.
   *
   * Over a direct link READY of a segment is posted after FIN_ACK of the one before was awaited, so
   * after its READY was. For all that is offered at once there is one READY, and one FIN_ACK. Over
   * an RDMA link READY of a segment is posted after FIN of the one before was awaited, and FIN after
   * READY of the same segment: no bit is set twice.
   *
   * A segment is read, or written, between the signal of its owner that it is there, or expected,
   * and the one that its owner awaits: FIN_ACK, or FIN. Each has a place of its own.
   */

  /**
   * The links of a rank to its neighbours.
   *
   * @param sent the memory that a rank hands on from
   * @param landing the memory that a rank is written to
   */
  static OpCommTransport links(
      CommInfo comm, IntFunction<TransportMemType> sent, TransportMemType landing) {
    int rank = comm.rank();
    OpCommTransport.Builder links =
        OpCommTransport.builder(comm).pairs(CommPlane.COMBINED, landing, landing);
    if (rank > 0) {
      links.pairs(CommPlane.COMBINED, sent.apply(rank - 1), landing, rank - 1);
    }
    if (rank + 1 < comm.rankSize()) {
      links.pairs(CommPlane.COMBINED, sent.apply(rank), landing, rank + 1);
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
    if (!isPulled(before())) {
      before().post(stream, Link.READY);
    }
  }

  /** Waits for a segment; over RDMA links it has landed then. */
  void await(int segment) {
    if (isPulled(before())) {
      if (segment == 0 || !isAllThere()) {
        before().await(stream, Link.READY);
      }
      return;
    }
    before().await(stream, Link.FIN);
    if (segment + 1 < segments.size()) {
      before().post(stream, Link.READY);
    }
  }

  /** Says that a segment has been taken, and is not read any more. */
  void taken(int segment) {
    if (isPulled(before()) && (segment + 1 == segments.size() || !isAllThere())) {
      before().post(stream, Link.FIN_ACK);
    }
  }

  /** Whether this rank has waited for all segments when it has for the first. */
  private boolean isAllThere() {
    return isOfferedAtOnce && comm.localRank() == 1;
  }

  /** Whether there is a rank after this one that waits for a segment. */
  boolean handsOn(int segment) {
    boolean isOffered = isOfferedAtOnce && isFirst() && segment > 0;
    return !isLast() && !(isOffered && isPulled(after()));
  }

  /**
   * Hands on a segment.
   *
   * @param src what the rank after this one gets
   */
  void handOn(int segment, DeviceMem src) {
    if (isPulled(after())) {
      if (segment > 0) {
        after().await(stream, Link.FIN_ACK);
      }
      after().post(stream, Link.READY);
    } else {
      after().await(stream, Link.READY);
      after().write(stream, after().remote(landing).slice(segments.get(segment)), src);
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
