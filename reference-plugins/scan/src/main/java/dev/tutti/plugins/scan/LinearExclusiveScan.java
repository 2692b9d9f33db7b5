package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear exclusive scan: each rank keeps what comes from the rank before it, and hands on what it
 * gets by adding its own input, segment by segment.
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

  /** What a rank takes, and then what it hands on, which is its input for the first rank. */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    int rank = param.comm().rank();
    int last = param.comm().rankSize() - 1;
    int parts = rank == 0 ? 0 : rank == last ? 1 : 2;
    return parts * maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected OpCommTransport calcCommInfo(ExclusiveScanParam param) {
    int rank = param.comm().rank();
    return Line.links(param.comm(), sentType(param, rank), sentType(param, rank - 1));
  }

  private static TransportMemType sentType(ExclusiveScanParam param, int sender) {
    return sender == 0 ? inputMemType(param) : TransportMemType.SCRATCH;
  }

  @Override
  protected void kernelRun(ExclusiveScanParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    List<Slice> segments = Segments.of(param, mem.count(), param.dataType());
    Line line = new Line(mem.resources().subComm(CommPlane.COMBINED), stream, segments.size());
    line.open();
    for (int i = 0; i < segments.size(); i++) {
      Slice segment = segments.get(i);
      DeviceMem handedOn = mem.input().slice(segment);
      if (!line.isFirst()) {
        line.await(i);
        DeviceMem before = take(param, mem, line, segment);
        if (!line.isLast()) {
          handedOn = add(param, mem, before, segment);
        }
        stream.copy(mem.output().slice(segment), before);
      }
      if (!line.isLast()) {
        line.handOn(i, handedOn, segment.offset());
      }
    }
    line.close();
  }

  /** Has a segment in this rank's own memory: in place, its output is still its input. */
  private static DeviceMem take(ExclusiveScanParam param, ExecMem mem, Line line, Slice segment) {
    DeviceMem taken = mem.scratch().slice(segment);
    if (Line.isPulled(line.before())) {
      TransportMemType type = sentType(param, line.before().remoteUserRank());
      long start = type == TransportMemType.SCRATCH ? mem.input().size() : mem.input().offset();
      DeviceMem sum = line.before().remote(type).slice(start + segment.offset(), segment.size());
      line.before().read(mem.resources().mainStream(), taken, sum);
      line.taken();
    }
    return taken;
  }

  /** Puts what comes from the ranks before before this rank's input. */
  private static DeviceMem add(
      ExclusiveScanParam param, ExecMem mem, DeviceMem before, Slice segment) {
    DeviceMem sum = mem.scratch().slice(mem.input().size() + segment.offset(), segment.size());
    List<DeviceMem> operands = List.of(before, mem.input().slice(segment));
    mem.resources().mainStream().reduceFrom(sum, operands, param.dataType(), param.reduceOp());
    return sum;
  }

  @Override
  public Optional<Cost> cost(ExclusiveScanParam param) {
    Pipeline pipeline =
        new Pipeline(param, param.dataType(), param.count(), maxCountPerRound(param));
    return Optional.of(pipeline.cost(param.comm().rankSize() - 2, false));
  }

  /** The ranks are combined in order, whatever the count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
