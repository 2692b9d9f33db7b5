package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.Exchanges;
import dev.tutti.plugins.template.LongestChain.Unit;
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

/** What the two forms of the recursive doubling all-gather share: all of it. */
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

  @Override
  public Optional<Cost> cost(P param) {
    Blocks blocks = Blocks.of(param);
    double messages =
        blocks.sumOverRounds(maxCountPerRound(param), round -> longestChain(round, Unit.MESSAGES));
    double bytes = longestChain(blocks, Unit.MOVED);
    return Optional.of(new Cost(messages, bytes, 0));
  }

  private static long longestChain(Blocks blocks, Unit unit) {
    PlaceChain chain = new PlaceChain(unit, Partners.bytesOfPlaces(blocks));
    int foldedPlaces = Partners.foldedPlaces(blocks.size());
    for (int place = 0; place < foldedPlaces; place++) {
      chain.fold(place, blocks.bytes(2 * place));
    }
    chain.redouble();
    for (int place = 0; place < foldedPlaces; place++) {
      chain.fold(place, blocks.totalBytes());
    }
    return chain.length();
  }

  /** Data is only moved. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
