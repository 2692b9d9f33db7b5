package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.Exchanges;
import dev.tutti.plugins.template.Transfer;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * Rabenseifner's all-reduce: a reduce-scatter by recursive halving, then an all-gather by recursive
 * doubling. It moves as few bytes as a ring, in a logarithmic number of steps.
 *
 * <p>Source: R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. Cost
 * for n bytes and p ranks, a power of two: {@code 2·log2(p)·α + 2(p-1)/p·nβ + (p-1)/p·nγ}. For
 * other p, it is the cost for the greatest power of two below p, plus {@code 2α + 2nβ + nγ} for the
 * ranks beyond it.
 */
@CollAlgorithm(
    name = "halving-doubling",
    summary = "Recursive halving, then doubling: few steps and few bytes; best for 2^k ranks",
    source = "Rabenseifner: Optimization of collective reduction operations, ICCS 2004",
    formula = "2·log2(p)·α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class HalvingDoublingAllReduce extends NativeExecutorBase<AllReduceParam> {

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        isKernelInPlace(param) ? outputMemType(param) : inputMemType(param),
        outputMemType(param),
        partners(param).all());
  }

  private static Partners partners(AllReduceParam param) {
    return Partners.of(param.comm().rank(), param.comm().rankSize());
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    DeviceMem own = mem.inPlace() ? mem.output() : mem.input();
    if (comm.localRankSize() > 1) {
      Exchanges reducing = Exchanges.reducing(comm, stream, param.dataType(), param.reduceOp());
      run(param, own, mem.output(), reducing, Exchanges.moving(comm, stream));
    } else if (!mem.inPlace()) {
      stream.copy(mem.output(), own);
    }
  }

  private static void run(
      AllReduceParam param, DeviceMem own, DeviceMem work, Exchanges reducing, Exchanges moving) {
    Partners partners = partners(param);
    if (partners.sitsOut()) {
      reducing.send(new Transfer(partners.folded(), own, work.type(), work.offset()));
      moving.receive(Transfer.atSamePlace(partners.folded(), work));
      return;
    }
    if (partners.isFolded()) {
      reducing.receive(new Transfer(partners.folded(), work, own.type(), own.offset()), own);
    }
    int ranks = param.comm().rankSize();
    int elementSize = param.dataType().size();
    Halving halving =
        new Halving(
            partners,
            ranks,
            own,
            work,
            Slice.partition(work.size() / elementSize, Partners.places(ranks), elementSize));
    halving.reduceScatter(reducing);
    halving.allGather(moving);
    if (partners.isFolded()) {
      moving.send(Transfer.atSamePlace(partners.folded(), work));
    }
  }

  /** With fewer elements than places, some messages are empty, and there is no closed form. */
  @Override
  public Optional<Cost> cost(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    double places = Partners.places(ranks);
    if (param.count() < places) {
      return Optional.empty();
    }
    double folds = Partners.foldedPlaces(ranks) > 0 ? 1 : 0;
    double steps = 2.0 * Partners.steps(ranks) + 2 * folds;
    double share = (places - 1) / places + folds;
    double bytes = param.inputBytes();
    return Optional.of(new Cost(steps * rounds(param), 2 * share * bytes, share * bytes));
  }

  /** Each element is reduced once, in an order that depends on its part, and then copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_RANKS;
  }
}
