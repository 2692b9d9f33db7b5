package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear exclusive scan: each rank keeps what it gets from the previous rank as its result. It
 * combines that with its own input and passes the sum on to the next rank, segment by segment.
 *
 * <p>Source: the linear exclusive scan of Open MPI's basic collectives, with segments. Cost for p
 * ranks and s segments of n bytes in all: {@code (p+s-2)(α + n/s·β) + (p+s-3)·n/s·γ}.
 */
@CollAlgorithm(
    name = "linear",
    summary = "From each rank to the next in segments: every byte moves once, for long vectors",
    source = "Open MPI basic collectives, with segments",
    formula = "(p+s-2)(α + n/s·β) + (p+s-3)·n/s·γ for s segments")
public final class LinearExclusiveScan extends NativeExecutorBase<ExclusiveScanParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT);
  }

  /**
   * Scratch memory for what a rank receives, if its output is still its input, and behind it for
   * what it hands on.
   */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    int rank = param.comm().rank();
    if (rank == 0) {
      return 0;
    }
    boolean isLast = rank + 1 == param.comm().rankSize();
    boolean isTakenApart = isKernelInPlace(param) && !(isLast && Segments.isPulled(param));
    int parts = (isTakenApart ? 1 : 0) + (isLast ? 0 : 1);
    return parts * maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected OpCommTransport calcCommInfo(ExclusiveScanParam param) {
    return Line.links(param.comm(), sender -> sentType(param, sender), landing(param));
  }

  private static TransportMemType sentType(ExclusiveScanParam param, int sender) {
    return sender == 0 ? inputMemType(param) : TransportMemType.SCRATCH;
  }

  private static TransportMemType landing(ExclusiveScanParam param) {
    return isKernelInPlace(param) ? TransportMemType.SCRATCH : outputMemType(param);
  }

  @Override
  protected void kernelRun(ExclusiveScanParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    List<Slice> segments = Segments.of(param, mem.count(), param.dataType());
    Line line = new Line(comm, stream, segments, landing(param), true);
    if (line.isFirst()) {
      for (int i = 0; i < segments.size(); i++) {
        if (line.handsOn(i)) {
          line.handOn(i, mem.input().slice(segments.get(i)));
        }
      }
    } else {
      extend(param, mem, line);
    }
    line.close();
  }

  /**
   * Keeps the sum from the rank before this one, and hands on its combination with this rank's
   * input.
   */
  private static void extend(ExclusiveScanParam param, ExecMem mem, Line line) {
    DeviceMem taken = taken(mem, line);
    line.open();
    for (int i = 0; i < line.segments().size(); i++) {
      Slice segment = line.segments().get(i);
      DeviceMem before = taken.slice(segment);
      take(param, mem, line, i, before);
      if (line.handsOn(i)) {
        line.handOn(i, add(param, mem, before, segment));
      }
      if (!taken.equals(mem.output())) {
        line.stream().copy(mem.output().slice(segment), before);
      }
    }
  }

  /**
   * The memory for the sum from the rank before this one: the output, unless that is the input and
   * still needed.
   */
  private static DeviceMem taken(ExecMem mem, Line line) {
    boolean isInputNeeded = !line.isLast() || !Line.isPulled(line.before());
    return mem.inPlace() && isInputNeeded
        ? mem.scratch().slice(0, mem.output().size())
        : mem.output();
  }

  /** Gets a segment into this rank's own memory. */
  private static void take(
      ExclusiveScanParam param, ExecMem mem, Line line, int segment, DeviceMem taken) {
    line.await(segment);
    Link link = line.before();
    if (Line.isPulled(link)) {
      TransportMemType type = sentType(param, link.remoteUserRank());
      Slice place = line.segments().get(segment);
      link.read(
          line.stream(),
          taken,
          link.remote(type).slice(start(mem, type) + place.offset(), place.size()));
      line.taken(segment);
    }
  }

  /** Combines the sum of the ranks before this one with this rank's input, in this order. */
  private static DeviceMem add(
      ExclusiveScanParam param, ExecMem mem, DeviceMem before, Slice segment) {
    long start = start(mem, TransportMemType.SCRATCH);
    DeviceMem sum = mem.scratch().slice(start + segment.offset(), segment.size());
    List<DeviceMem> operands = List.of(before, mem.input().slice(segment));
    mem.resources().mainStream().reduceFrom(sum, operands, param.dataType(), param.reduceOp());
    return sum;
  }

  /** The offset of what a rank hands on; in place, it is behind what the rank has received. */
  private static long start(ExecMem mem, TransportMemType type) {
    if (type != TransportMemType.SCRATCH) {
      return mem.input().offset();
    }
    return mem.inPlace() ? mem.input().size() : 0;
  }

  @Override
  public Optional<Cost> cost(ExclusiveScanParam param) {
    Pipeline pipeline =
        new Pipeline(param, param.dataType(), param.count(), maxCountPerRound(param));
    return Optional.of(pipeline.cost(param.comm().rankSize() - 2, false));
  }

  /** The operands are combined in rank order for every count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
