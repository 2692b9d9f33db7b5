package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear scan: each rank puts the result of the rank before it before its own input and hands the
 * sum on, segment by segment, so that in long vectors all ranks work at the same time.
 *
 * <p>Source: the linear scan of Open MPI's basic collectives, with segments. Cost for p ranks and s
 * segments of n bytes in all: {@code (p+s-2)(α + n/s·(β + γ))}.
 */
@CollAlgorithm(
    name = "linear",
    summary = "From each rank to the next in segments: every byte moves once, for long vectors",
    source = "Open MPI basic collectives, with segments",
    formula = "(p+s-2)(α + n/s·(β + γ)) for s segments")
public final class LinearScan extends NativeExecutorBase<ScanParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT);
  }

  /** What the rank before this one writes; over direct links it is read where it is. */
  @Override
  protected long calcScratchMemSize(ScanParam param) {
    boolean isWritten = param.comm().rank() > 0 && !isPulled(param);
    return isWritten ? maxCountPerRound(param) * param.dataType().size() : 0;
  }

  private static boolean isPulled(ScanParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  @Override
  protected OpCommTransport calcCommInfo(ScanParam param) {
    return Line.links(param.comm(), outputMemType(param), outputMemType(param));
  }

  @Override
  protected void kernelRun(ScanParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    List<Slice> segments = Segments.of(param, mem.count(), param.dataType());
    Line line = new Line(mem.resources().subComm(CommPlane.COMBINED), stream, segments.size());
    line.open();
    for (int i = 0; i < segments.size(); i++) {
      DeviceMem input = mem.input().slice(segments.get(i));
      DeviceMem result = mem.output().slice(segments.get(i));
      if (!line.isFirst()) {
        line.await(i);
        DeviceMem before =
            Line.isPulled(line.before())
                ? line.before().remote(result)
                : mem.scratch().slice(segments.get(i));
        stream.reduceFrom(result, List.of(before, input), param.dataType(), param.reduceOp());
        line.taken();
      } else if (!mem.inPlace()) {
        stream.copy(result, input);
      }
      if (!line.isLast()) {
        line.handOn(i, result, segments.get(i).offset());
      }
    }
    line.close();
  }

  @Override
  public Optional<Cost> cost(ScanParam param) {
    Pipeline pipeline =
        new Pipeline(param, param.dataType(), param.count(), maxCountPerRound(param));
    return Optional.of(pipeline.cost(param.comm().rankSize() - 1, isPulled(param)));
  }

  /** The ranks are combined in order, whatever the count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
