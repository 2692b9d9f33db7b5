package dev.tutti.plugins.scan;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Recursive doubling scan: its steps have the distances d = 1, 2, 4 … In each step, every rank
 * sends its result to the d-th rank on its right, which takes it as the left operand and combines
 * it with its own. After that step, the result of rank r covers ranks r - 2d + 1 to r, so any
 * number of ranks works.
 *
 * <p>Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", Commun. ACM 29(12), 1986. Cost
 * for p ranks and n bytes: {@code ⌈log2 p⌉(α + nβ + nγ)}.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Partial results go to the right, each time twice as far: the fewest steps",
    source = "Hillis, Steele: Data parallel algorithms, CACM 29(12), 1986",
    formula = "⌈log2 p⌉(α + nβ + nγ)")
public final class DoublingScan extends NativeExecutorBase<ScanParam> {

  private static List<DoublingStep> steps(ScanParam param) {
    return DoublingStep.all(param.comm().rank(), param.comm().rankSize());
  }

  /** Scratch memory for what this rank receives; the first rank receives nothing. */
  @Override
  protected long calcScratchMemSize(ScanParam param) {
    return param.comm().rank() == 0 ? 0 : maxCountPerRound(param) * param.dataType().size();
  }

  @Override
  protected OpCommTransport calcCommInfo(ScanParam param) {
    OpCommTransport.Builder links = DoublingStep.links(param.comm());
    for (DoublingStep step : steps(param)) {
      TransportMemType sent = step.distance() == 1 ? inputMemType(param) : outputMemType(param);
      step.requestLinks(links, sent, sent);
    }
    return links.build();
  }

  @Override
  protected void kernelRun(ScanParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (param.comm().rank() == 0 && !mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    for (DoublingStep step : steps(param)) {
      DeviceMem held = step.distance() == 1 ? mem.input() : mem.output();
      step.exchange(stream, comm, held, mem.scratch(), held.type(), held.offset());
      if (step.receives()) {
        DeviceMem before = DoublingStep.received(mem.scratch(), held.size());
        stream.reduceFrom(mem.output(), List.of(before, held), param.dataType(), param.reduceOp());
      }
    }
  }

  @Override
  public Optional<Cost> cost(ScanParam param) {
    double steps = steps(param).size();
    double bytes = steps * param.inputBytes();
    return Optional.of(new Cost(steps * rounds(param), bytes, bytes));
  }

  /** The operands are combined in the same tree for every count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
