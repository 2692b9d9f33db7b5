package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Scan in two halves. The first rank of the second half is its head. The head combines the inputs
 * of all ranks before it with its own, so it does not wait for their results. Within a half, each
 * rank passes its result on to the next in segments, as in {@link LinearScan}. So if the halves run
 * on two processors that are far apart, neither processor reads what the other has just written.
 *
 * <p>Source: this project. Cost for p ranks, n bytes and s segments: {@code (s+⌊p/2⌋-1)α + (⌈p/2⌉·n
 * + (⌊p/2⌋-1)·n/s)(β + γ)}.
 */
@CollAlgorithm(
    name = "halves",
    summary = "As linear, but the second half starts from all inputs: for few ranks, far apart",
    source = "this project",
    formula = "(s+⌊p/2⌋-1)α + (⌈p/2⌉·n + (⌊p/2⌋-1)·n/s)(β + γ) for s segments")
public final class HalvesScan extends NativeExecutorBase<ScanParam> {

  /*
   * Why this is correct under every schedule. A rank waits only until the rank before it in its
   * half hands on the same segment, and until the rank after it has consumed the previous segment.
   * The head waits only for READY of the first half, which those ranks post first. Inputs do not
   * change until the head's FIN_ACK. On every link, READY and FIN_ACK alternate, so no bit is set
   * twice.
   */

  private static final int MIN_RANKS = 3;

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT);
  }

  @Override
  public Support supports(ScanParam param) {
    if (!Segments.isPulled(param)) {
      return Support.no("reads its peers' inputs, which takes direct links. Actual: RDMA");
    }
    if (isKernelInPlace(param)) {
      return Support.no("needs inputs that last, but they are overwritten in place");
    }
    int ranks = param.comm().rankSize();
    return Support.when(ranks >= MIN_RANKS, "needs three ranks or more. Actual: " + ranks);
  }

  /** The first rank of the second half. */
  private static int head(int ranks) {
    return Math.ceilDiv(ranks, 2);
  }

  private static boolean begins(int rank, int ranks) {
    return rank == 0 || rank == head(ranks);
  }

  /** Whether the rank after this one is in the same half. */
  private static boolean handsOn(int rank, int ranks) {
    return rank + 1 < ranks && !begins(rank + 1, ranks);
  }

  @Override
  protected OpCommTransport calcCommInfo(ScanParam param) {
    CommInfo comm = param.comm();
    int head = head(comm.rankSize());
    TransportMemType input = inputMemType(param);
    TransportMemType output = outputMemType(param);
    OpCommTransport.Builder links = OpCommTransport.builder(comm);
    if (comm.rank() < head) {
      links.pairs(CommPlane.COMBINED, input, input, head);
    }
    for (int rank = 0; comm.rank() == head && rank < head; rank++) {
      links.pairs(CommPlane.COMBINED, input, input, rank);
    }
    if (!begins(comm.rank(), comm.rankSize())) {
      links.pairs(CommPlane.COMBINED, output, output, comm.rank() - 1);
    }
    if (handsOn(comm.rank(), comm.rankSize())) {
      links.pairs(CommPlane.COMBINED, output, output, comm.rank() + 1);
    }
    return links.build();
  }

  @Override
  protected void kernelRun(ScanParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int rank = comm.localRank();
    List<Link> inputs = toHead(comm);
    boolean isHead = rank == head(comm.localRankSize());
    if (isHead) {
      inputs.forEach(link -> link.await(stream, Link.READY));
    } else {
      inputs.forEach(link -> link.post(stream, Link.READY));
    }
    emitSegments(param, mem, comm);
    if (isHead) {
      inputs.forEach(link -> link.post(stream, Link.FIN_ACK));
    }
    if (handsOn(rank, comm.localRankSize())) {
      comm.link(rank + 1).await(stream, Link.FIN_ACK);
    }
    if (!isHead) {
      inputs.forEach(link -> link.await(stream, Link.FIN_ACK));
    }
  }

  /** The links between the head and the first half that this rank has, in the order of ranks. */
  private static List<Link> toHead(SubCommInfo comm) {
    int head = head(comm.localRankSize());
    if (comm.localRank() < head) {
      return List.of(comm.link(head));
    }
    return comm.localRank() > head
        ? List.of()
        : IntStream.range(0, head).mapToObj(comm::link).toList();
  }

  private static void emitSegments(ScanParam param, ExecMem mem, SubCommInfo comm) {
    Stream stream = mem.resources().mainStream();
    int rank = comm.localRank();
    List<Slice> segments = Segments.of(param, mem.count(), param.dataType());
    for (Slice segment : segments) {
      if (rank == 0) {
        stream.copy(mem.output().slice(segment), mem.input().slice(segment));
      } else if (begins(rank, comm.localRankSize())) {
        combine(param, mem, comm, segment);
      } else {
        extend(param, mem, comm.link(rank - 1), segment);
      }
      if (handsOn(rank, comm.localRankSize())) {
        if (!segment.equals(segments.getFirst())) {
          comm.link(rank + 1).await(stream, Link.FIN_ACK);
        }
        comm.link(rank + 1).post(stream, Link.READY);
      }
    }
  }

  /** Combines the inputs of all ranks up to this one. */
  private static void combine(ScanParam param, ExecMem mem, SubCommInfo comm, Slice segment) {
    DeviceMem input = mem.input().slice(segment);
    List<DeviceMem> operands = new ArrayList<>();
    toHead(comm).forEach(link -> operands.add(link.remote(input)));
    operands.add(input);
    mem.resources()
        .mainStream()
        .reduceFrom(mem.output().slice(segment), operands, param.dataType(), param.reduceOp());
  }

  /** Combines the result of the rank before this one with this rank's input, in this order. */
  private static void extend(ScanParam param, ExecMem mem, Link before, Slice segment) {
    Stream stream = mem.resources().mainStream();
    DeviceMem result = mem.output().slice(segment);
    before.await(stream, Link.READY);
    stream.reduceFrom(
        result,
        List.of(before.remote(result), mem.input().slice(segment)),
        param.dataType(),
        param.reduceOp());
    before.post(stream, Link.FIN_ACK);
  }

  /** The operands are combined in rank order for every count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
