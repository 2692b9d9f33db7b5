package dev.tutti.plugins.scan;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear scan: each rank combines the result of the previous rank with its own input and passes the
 * sum on. It works segment by segment, so that all ranks work at the same time on long vectors. The
 * result of the first rank is its input, which it passes on before it copies it to its output.
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

  /**
   * Scratch memory for what the rank before this one writes, if this rank's output is still its
   * input.
   */
  @Override
  protected long calcScratchMemSize(ScanParam param) {
    boolean isWritten =
        param.comm().rank() > 0 && !Segments.isPulled(param) && isKernelInPlace(param);
    return isWritten ? maxCountPerRound(param) * param.dataType().size() : 0;
  }

  @Override
  protected OpCommTransport calcCommInfo(ScanParam param) {
    return Line.links(param.comm(), sender -> sentType(param, sender), landing(param));
  }

  /** The memory from which a rank sends; the first rank sends its input, which is its sum. */
  private static TransportMemType sentType(ScanParam param, int sender) {
    return sender == 0 && !isKernelInPlace(param) ? inputMemType(param) : outputMemType(param);
  }

  private static TransportMemType landing(ScanParam param) {
    return isKernelInPlace(param) ? TransportMemType.SCRATCH : outputMemType(param);
  }

  @Override
  protected void kernelRun(ScanParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    List<Slice> segments = Segments.of(param, mem.count(), param.dataType());
    boolean isOfferedAtOnce = mem.inPlace() || comm.localRankSize() == 2;
    Line line = new Line(comm, stream, segments, landing(param), isOfferedAtOnce);
    if (line.isFirst()) {
      begin(mem, line);
    } else {
      extend(param, mem, line);
    }
    line.close();
  }

  /**
   * Hands on the input and copies it. With more than two ranks, the rank after this one may share
   * its processor, and finds a segment in the cache if it has just been copied.
   */
  private static void begin(ExecMem mem, Line line) {
    for (int i = 0; i < line.segments().size(); i++) {
      DeviceMem input = mem.input().slice(line.segments().get(i));
      if (line.handsOn(i)) {
        line.handOn(i, input);
      }
      if (!mem.inPlace()) {
        line.stream().copy(mem.output().slice(line.segments().get(i)), input);
      }
    }
  }

  /** Combines the sum from the rank before this one with this rank's input, in this order. */
  private static void extend(ScanParam param, ExecMem mem, Line line) {
    DeviceMem before = before(param, mem, line);
    line.open();
    for (int i = 0; i < line.segments().size(); i++) {
      Slice segment = line.segments().get(i);
      DeviceMem result = mem.output().slice(segment);
      List<DeviceMem> operands = List.of(before.slice(segment), mem.input().slice(segment));
      line.await(i);
      line.stream().reduceFrom(result, operands, param.dataType(), param.reduceOp());
      line.taken(i);
      if (line.handsOn(i)) {
        line.handOn(i, result);
      }
    }
  }

  /** The results of the rank before this one. */
  private static DeviceMem before(ScanParam param, ExecMem mem, Line line) {
    if (Line.isPulled(line.before())) {
      TransportMemType type = sentType(param, line.before().remoteUserRank());
      return line.before().remote(type).slice(mem.output().offset(), mem.output().size());
    }
    return mem.inPlace() ? mem.scratch() : mem.output();
  }

  @Override
  public Optional<Cost> cost(ScanParam param) {
    Pipeline pipeline =
        new Pipeline(param, param.dataType(), param.count(), maxCountPerRound(param));
    return Optional.of(pipeline.cost(param.comm().rankSize() - 1, Segments.isPulled(param)));
  }

  /** The operands are combined in rank order for every count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
