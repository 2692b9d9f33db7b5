package dev.tutti.plugins.scan;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One step of recursive doubling as one rank sees it: data moves some ranks to the right, twice as
 * far as in the step before. A rank receives at the start of its scratch memory.
 *
 * @param rank this rank
 * @param ranks the number of ranks
 * @param distance the number of ranks that data moves to the right
 */
record DoublingStep(int rank, int ranks, int distance) {

  /** All steps of a rank, in order. */
  static List<DoublingStep> all(int rank, int ranks) {
    return IntStream.iterate(1, distance -> distance < ranks, distance -> 2 * distance)
        .mapToObj(distance -> new DoublingStep(rank, ranks, distance))
        .toList();
  }

  /** Begins the request for the links of all steps; a single rank needs no links. */
  static OpCommTransport.Builder links(CommInfo comm) {
    TransportMemType scratch = TransportMemType.SCRATCH;
    return OpCommTransport.builder(comm).pairs(CommPlane.COMBINED, scratch, scratch);
  }

  /** Whether there is a rank that far on the left. */
  boolean receives() {
    return rank >= distance;
  }

  /** Whether there is a rank that far on the right. */
  boolean sends() {
    return rank + distance < ranks;
  }

  /** The rank that far on the left. */
  int left() {
    return rank - distance;
  }

  private int right() {
    return rank + distance;
  }

  /** The memory of the data that a rank has received. */
  static DeviceMem received(DeviceMem scratch, long size) {
    return scratch.slice(0, size);
  }

  /**
   * Requests the links of this step.
   *
   * @param ownType the memory that this rank sends from
   * @param leftType the memory that the left rank sends from
   */
  void requestLinks(
      OpCommTransport.Builder links, TransportMemType ownType, TransportMemType leftType) {
    if (sends()) {
      links.pairs(CommPlane.COMBINED, ownType, TransportMemType.SCRATCH, right());
    }
    if (receives()) {
      links.pairs(CommPlane.COMBINED, leftType, TransportMemType.SCRATCH, left());
    }
  }

  /**
   * Sends to the right and receives from the left, where there are ranks.
   *
   * @param sent the data that this rank sends, as large as the data that it receives
   * @param scratch the memory in which it receives
   * @param leftType the memory that the left rank sends from
   * @param leftOffset bytes from the start of that memory
   */
  void exchange(
      Stream stream,
      SubCommInfo comm,
      DeviceMem sent,
      DeviceMem scratch,
      TransportMemType leftType,
      long leftOffset) {
    List<Outgoing> outgoing = List.of();
    List<Incoming> incoming = List.of();
    if (sends()) {
      outgoing = List.of(new Outgoing(comm.link(right()), sent, TransportMemType.SCRATCH, 0));
    }
    if (receives()) {
      DeviceMem received = received(scratch, sent.size());
      incoming = List.of(new Incoming(comm.link(left()), received, leftType, leftOffset));
    }
    new Exchange(outgoing, incoming).run(stream);
  }
}
