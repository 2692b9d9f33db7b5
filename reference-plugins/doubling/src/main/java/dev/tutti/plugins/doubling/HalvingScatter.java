package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.Exchanges;
import dev.tutti.plugins.template.Transfer;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * The common implementation of both forms of the recursive halving reduce-scatter. Sums are in
 * scratch memory, in the order of the input, which is only read.
 */
abstract class HalvingScatter<P extends OpParam> extends NativeExecutorBase<P> {

  /**
   * In a fold, the other side pulls from the input, or pushes to the output, of the rank that sits
   * out.
   */
  @Override
  protected OpCommTransport calcCommInfo(P param) {
    Partners partners = partners(param);
    TransportMemType input = inputMemType(param);
    boolean pulls = param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
    OpCommTransport.Builder links =
        OpCommTransport.builder(param.comm())
            .pairs(
                CommPlane.COMBINED,
                input,
                TransportMemType.SCRATCH,
                partners.exchanges().stream().mapToInt(Integer::intValue).toArray());
    if (partners.isFolded()) {
      links.pairs(
          CommPlane.COMBINED,
          pulls ? input : outputMemType(param),
          TransportMemType.SCRATCH,
          partners.folded());
    }
    return links.build();
  }

  private static Partners partners(OpParam param) {
    return Partners.of(param.comm().rank(), param.comm().rankSize());
  }

  @Override
  protected long calcScratchMemSize(P param) {
    boolean sums = param.comm().rankSize() > 1 && !partners(param).sitsOut();
    return sums ? Blocks.of(param).totalBytes(maxCountPerRound(param)) : 0;
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRankSize() == 1) {
      stream.copy(mem.output(), mem.input());
      return;
    }
    Blocks blocks = Blocks.of(param);
    Exchanges reducing = Exchanges.reducing(comm, stream, blocks.dataType(), blocks.reduceOp());
    Exchanges moving = Exchanges.moving(comm, stream);
    Partners partners = partners(param);
    if (partners.sitsOut()) {
      sitOut(partners.folded(), comm.localRank(), mem, reducing, moving);
    } else {
      DeviceMem sums = mem.scratch().slice(0, mem.input().size());
      takePart(partners, mem, sums, reducing, moving);
      stream.copy(mem.output(), sums.slice(mem.inputSlices().get(comm.localRank())));
    }
  }

  private static void sitOut(
      int folded, int rank, ExecMem mem, Exchanges reducing, Exchanges moving) {
    reducing.send(new Transfer(folded, mem.input(), TransportMemType.SCRATCH, 0));
    long offset = mem.inputSlices().get(rank).offset();
    moving.receive(new Transfer(folded, mem.output(), TransportMemType.SCRATCH, offset));
  }

  private static void takePart(
      Partners partners, ExecMem mem, DeviceMem sums, Exchanges reducing, Exchanges moving) {
    DeviceMem own = mem.input();
    if (partners.isFolded()) {
      reducing.receive(new Transfer(partners.folded(), sums, own.type(), own.offset()), own);
    }
    new Halving(partners, mem.inputSlices().size(), own, sums, Partners.ofPlaces(mem.inputSlices()))
        .reduceScatter(reducing);
    if (partners.isFolded()) {
      DeviceMem sum = sums.slice(mem.inputSlices().get(partners.folded()));
      moving.send(new Transfer(partners.folded(), sum, mem.output().type(), 0));
    }
  }

  /** A closed form for equal blocks if the number of ranks is a power of two. */
  @Override
  public Optional<Cost> cost(P param) {
    Blocks blocks = Blocks.of(param);
    if (!blocks.isUniform() || Partners.foldedPlaces(blocks.size()) > 0) {
      return Optional.empty();
    }
    double steps = Partners.steps(blocks.size());
    double bytes = (blocks.size() - 1.0) * blocks.maxBytes();
    return Optional.of(new Cost(steps * rounds(param), bytes, bytes));
  }

  /** Each element is reduced once, in an order that depends on its block. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
