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
 * Over direct links, a rank reads from the rank before it; over RDMA links, that rank writes to it.
 * The first rank has all segments from the start, so over direct links it can offer them all at
 * once.
 *
 * @param comm all ranks
 * @param stream where everything is emitted
 * @param segments the segments of this round; one or more
 * @param landing the memory of a rank that the rank before it writes
 * @param isOfferedAtOnce whether the first rank offers all segments at once
 */
record Line(
    SubCommInfo comm,
    Stream stream,
    List<Slice> segments,
    TransportMemType landing,
    boolean isOfferedAtOnce) {

  /*
   * Why this is correct under every schedule. A rank waits only until the rank before it hands on
   * the same segment, and until the rank after it has consumed the previous segment. Over RDMA
   * links, the second wait is until the rank after it expects this segment, which it does as soon
   * as it has the previous one. So ranks never wait in a circle.
   *
   * No bit is set twice. Over a direct link, a rank posts READY of a segment after it has awaited
   * FIN_ACK of the previous one, so READY of the previous one has been consumed. Segments that are
   * offered at once share one READY and one FIN_ACK. Over an RDMA link, a rank posts READY of a
   * segment after it has awaited FIN of the previous one, and posts FIN after it has awaited READY
   * of the same segment.
   *
   * There is no data race. The owner of the memory posts READY, which means that a segment is there
   * or is expected. Then a peer reads or writes the segment. Then the owner awaits FIN_ACK or FIN.
   * Each segment has its own place.
   */

  /**
   * The links of a rank to its neighbours.
   *
   * @param sent the memory from which a rank hands on
   * @param landing the memory of a rank that the rank before it writes
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

  /** Waits for a segment; over RDMA links, it has then arrived. */
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

  /** Signals that this rank no longer reads a segment. */
  void taken(int segment) {
    if (isPulled(before()) && (segment + 1 == segments.size() || !isAllThere())) {
      before().post(stream, Link.FIN_ACK);
    }
  }

  /** Whether the wait for the first segment is the wait for all segments. */
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
   * @param src the data for the rank after this one
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

  /** Waits until the last segment has been consumed. */
  void close() {
    if (!isLast() && isPulled(after())) {
      after().await(stream, Link.FIN_ACK);
    }
  }
}
