package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Chain reduce: partial results are passed along the chain, from its last rank to the root, in
 * segments. Every rank on the way adds its operand. All ranks work at the same time, on different
 * segments.
 *
 * <p>Source: the chain and pipeline reductions of Open MPI. Cost for p ranks, n bytes and s
 * segments: {@code (p-2+s)(α + n/s·(β + γ))}.
 */
@CollAlgorithm(
    name = "chain",
    summary = "In segments from rank to rank: every rank sends, gets and adds each byte once",
    source = "Open MPI, chain reduce",
    formula = "(p-2+s)(α + n/s·(β + γ)) for s segments")
public final class ChainReduce extends NativeExecutorBase<ReduceParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(Segments.SEGMENT_BYTES);
  }

  /** Scratch memory for the partial result of a rank between the ends. */
  @Override
  protected long calcScratchMemSize(ReduceParam param) {
    Chain chain = Chain.of(param.comm(), param.root());
    boolean isBetween = !chain.isFirst() && !chain.isLast();
    return isBetween ? maxCountPerRound(param) * param.dataType().size() : 0;
  }

  /** Over direct links, peers read operands; over RDMA links, they write results. */
  @Override
  protected OpCommTransport calcCommInfo(ReduceParam param) {
    boolean pulls = param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
    return Chain.of(param.comm(), param.root())
        .links(
            param.comm(),
            TransportMemType.SCRATCH,
            pulls ? inputMemType(param) : outputMemType(param));
  }

  @Override
  protected void kernelRun(ReduceParam param, ExecMem mem) {
    Chain chain = Chain.of(param.comm(), param.root());
    DeviceMem operand = chain.isFirst() && mem.inPlace() ? mem.output() : mem.input();
    if (chain.isFirst() && chain.isLast()) {
      if (!mem.inPlace()) {
        mem.resources().mainStream().copy(mem.output(), operand);
      }
      return;
    }
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Confluence confluence = confluence(param, mem, chain, comm);
    List<Slice> segments = segments(param).of(mem.count(), param.dataType());
    if (chain.isFirst()) {
      confluence.run(operand, mem.output(), segments, sum -> {});
    } else {
      confluence.run(
          operand,
          chain.isLast() ? operand : mem.scratch(),
          segments,
          comm.link(chain.previous()),
          resultType(param, chain.previous()));
    }
  }

  private static Confluence confluence(
      ReduceParam param, ExecMem mem, Chain chain, SubCommInfo comm) {
    ReduceFlow flow =
        new ReduceFlow(mem.resources().mainStream(), param.dataType(), param.reduceOp());
    if (chain.isLast()) {
      return new Confluence(flow, List.of(), List.of());
    }
    boolean isNextLast = chain.at(chain.next()).isLast();
    return new Confluence(
        flow,
        List.of(comm.link(chain.next())),
        List.of(isNextLast ? inputMemType(param) : TransportMemType.SCRATCH));
  }

  private static TransportMemType resultType(ReduceParam param, int rank) {
    return rank == param.root() ? outputMemType(param) : TransportMemType.SCRATCH;
  }

  private static Segments segments(ReduceParam param) {
    return Segments.of(param, param.messageBytes(), param.comm().rankSize() - 1);
  }

  @Override
  public Optional<Cost> cost(ReduceParam param) {
    Cost moved =
        segments(param)
            .chainCost(
                param.comm().rankSize(), param.count(), maxCountPerRound(param), param.dataType());
    return Optional.of(new Cost(moved.alphas(), moved.betaBytes(), moved.betaBytes()));
  }

  /** Operands are added from the last rank of the chain to the first, the same for all elements. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
