package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.Exchanges;
import dev.tutti.plugins.template.Transfer;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/** The common implementation of both forms of the recursive doubling all-gather. */
abstract class DoublingGather<P extends OpParam> extends NativeExecutorBase<P> {

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    TransportMemType output = outputMemType(param);
    return OpCommTransport.pairs(
        param.comm(), CommPlane.COMBINED, output, output, partners(param).all());
  }

  private static Partners partners(OpParam param) {
    return Partners.of(param.comm().rank(), param.comm().rankSize());
  }

  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    stream.copy(mem.outputBlock(comm.localRank()), mem.input());
    Partners partners = partners(param);
    Exchanges exchanges = Exchanges.moving(comm, stream);
    if (partners.sitsOut()) {
      exchanges.send(Transfer.atSamePlace(partners.folded(), mem.outputBlock(comm.localRank())));
      exchanges.receive(Transfer.atSamePlace(partners.folded(), mem.output()));
    } else {
      gather(partners, mem, exchanges);
    }
  }

  private static void gather(Partners partners, ExecMem mem, Exchanges exchanges) {
    if (partners.isFolded()) {
      exchanges.receive(
          Transfer.atSamePlace(partners.folded(), mem.outputBlock(partners.folded())));
    }
    new Halving(
            partners,
            mem.outputSlices().size(),
            mem.output(),
            mem.output(),
            Partners.ofPlaces(mem.outputSlices()))
        .allGather(exchanges);
    if (partners.isFolded()) {
      exchanges.send(Transfer.atSamePlace(partners.folded(), mem.output()));
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
    return Optional.of(new Cost(steps * rounds(param), bytes, 0));
  }

  /** Data is only moved. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
