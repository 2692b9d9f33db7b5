package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * Recursive doubling all-reduce: in each step, a rank and its partner exchange their partial
 * results, and each combines the other's with its own. After ⌊log₂ p⌋ steps every rank has all
 * operands.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for p ranks, a power
 * of two, and n bytes: {@code log2(p)·(α + nβ + nγ)}; for other p, {@code ⌊log2(p)⌋ + 2} messages
 * and {@code ⌊log2(p)⌋ + 1} reductions of that size.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Pairwise exchanges at doubling distances: the fewest steps, for short vectors",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·(α + nβ + nγ)")
public final class DoublingAllReduce extends NativeExecutorBase<AllReduceParam> {

  /** Scratch memory for the partner's partial result, because this rank still needs its own. */
  @Override
  protected long calcScratchMemSize(AllReduceParam param) {
    boolean receives = !partners(param).sitsOut() && param.comm().rankSize() > 1;
    return receives ? maxCountPerRound(param) * param.dataType().size() : 0;
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        outputMemType(param),
        TransportMemType.SCRATCH,
        partners(param).all());
  }

  private static Partners partners(AllReduceParam param) {
    return Partners.of(param.comm().rank(), param.comm().rankSize());
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    DeviceMem result = mem.output();
    if (!mem.inPlace()) {
      stream.copy(result, mem.input());
    }
    Partners partners = partners(param);
    if (partners.sitsOut()) {
      Link odd = comm.link(partners.folded());
      send(stream, odd, TransportMemType.SCRATCH, result);
      receive(stream, odd, result.type(), result);
      return;
    }
    if (partners.isFolded()) {
      DeviceMem operand = mem.scratch().slice(0, result.size());
      receive(stream, comm.link(partners.folded()), result.type(), operand);
      stream.reduce(result, operand, param.dataType(), param.reduceOp());
    }
    for (int partner : partners.exchanges()) {
      DeviceMem operand = mem.scratch().slice(0, result.size());
      exchange(stream, comm.link(partner), result, operand);
      stream.reduce(result, operand, param.dataType(), param.reduceOp());
    }
    if (partners.isFolded()) {
      send(stream, comm.link(partners.folded()), result.type(), result);
    }
  }

  /**
   * Both sides send their result and receive the other's. Both results stay unchanged until both
   * sides have received.
   */
  private static void exchange(Stream stream, Link link, DeviceMem result, DeviceMem operand) {
    link.txAck(stream);
    link.rxAck(stream);
    link.txAsync(stream, operand.type(), operand.offset(), result);
    link.rxAsync(stream, result.type(), result.offset(), operand);
    link.rxWaitDone(stream);
    link.txWaitDone(stream);
  }

  private static void send(Stream stream, Link link, TransportMemType dstType, DeviceMem src) {
    link.rxAck(stream);
    link.txAsync(stream, dstType, src.offset(), src);
    link.txWaitDone(stream);
  }

  private static void receive(Stream stream, Link link, TransportMemType srcType, DeviceMem dst) {
    link.txAck(stream);
    link.rxAsync(stream, srcType, dst.offset(), dst);
    link.rxWaitDone(stream);
  }

  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    int steps = 31 - Integer.numberOfLeadingZeros(ranks);
    boolean folds = Integer.bitCount(ranks) > 1;
    double messages = steps + (folds ? 2 : 0);
    double reductions = steps + (folds ? 1 : 0);
    return Optional.of(
        new Cost(
            messages * rounds(param),
            messages * param.inputBytes(),
            reductions * param.inputBytes()));
  }

  /** Partners add the same two operands, and addition gives the same bits in either order. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
