package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.Push;
import dev.tutti.plugins.template.ReduceFlow;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Rabenseifner's reduce: a reduce-scatter by recursive halving, and a binomial gather of the parts
 * to the root. If the number of ranks is not a power of two, each rank beyond the largest power of
 * two first sends its operand to another rank.
 *
 * <p>Source: R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. Cost
 * for p ranks, a power of two, and n bytes: {@code 2log2(p)α + (p-1)/p·n(2β + γ)}; for other p,
 * with q the power of two below p, {@code (1 + 2log2(q))α + n(β + γ) + (q-1)/q·n(2β + γ)}.
 */
@CollAlgorithm(
    name = "rabenseifner",
    summary = "Recursive halving and binomial gather: few steps and few bytes, for long vectors",
    source = "Rabenseifner: Optimization of collective reduction operations, ICCS 2004",
    formula = "2log2(p)α + (p-1)/p·n(2β + γ)")
public final class RabenseifnerReduce extends NativeExecutorBase<ReduceParam> {

  @Override
  protected long calcScratchMemSize(ReduceParam param) {
    Halving halving = Halving.of(param);
    if (halving.isRoot() || halving.sitsOut()) {
      return 0;
    }
    long count = maxCountPerRound(param);
    if (halving.isFolded(halving.place())) {
      return count * param.dataType().size();
    }
    Slice kept = halving.kept(halving.parts(count, param.dataType()), halving.power() / 2);
    return kept.offset() + kept.size();
  }

  /**
   * The lower of two partners gathers the parts of both, so peers always access its partial
   * results. Peers access the partial results of the upper partner if links push, and the memory
   * that it offers if links pull.
   */
  @Override
  protected OpCommTransport calcCommInfo(ReduceParam param) {
    Halving halving = Halving.of(param);
    boolean pulls = param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    if (halving.sitsOut() || halving.isFolded(halving.place())) {
      int receiver = halving.place() % halving.power();
      ask(param, links, inputMemType(param), workType(param, receiver), halving.foldedPlace());
    }
    for (int distance : halving.distances()) {
      int lower = halving.place() & ~distance;
      int upper = halving.place() | distance;
      ask(
          param,
          links,
          pulls ? offeredType(param, upper, distance) : TransportMemType.SCRATCH,
          workType(param, lower),
          halving.place() ^ distance);
    }
    return links.build();
  }

  private static void ask(
      ReduceParam param,
      OpCommTransport.Builder links,
      TransportMemType offered,
      TransportMemType result,
      int place) {
    links.pairs(CommPlane.COMBINED, offered, result, Halving.of(param).rankAt(place));
  }

  /** The memory of partial results. */
  private static TransportMemType workType(ReduceParam param, int place) {
    return place == 0 ? outputMemType(param) : TransportMemType.SCRATCH;
  }

  /** What a rank offers at a distance: its operand, before it has any partial result. */
  private static TransportMemType offeredType(ReduceParam param, int place, int distance) {
    Halving halving = Halving.of(param);
    boolean isOperand = distance == halving.power() / 2 && !halving.isFolded(place);
    boolean isInWork = place == 0 && isKernelInPlace(param);
    return isOperand && !isInWork ? inputMemType(param) : workType(param, place);
  }

  @Override
  protected void kernelRun(ReduceParam param, ExecMem mem) {
    if (param.comm().rankSize() == 1) {
      copyAlone(mem);
      return;
    }
    Halving halving = Halving.of(param);
    ReduceFlow flow =
        new ReduceFlow(mem.resources().mainStream(), param.dataType(), param.reduceOp());
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    DeviceMem work = halving.isRoot() ? mem.output() : mem.scratch();
    DeviceMem operand = halving.isRoot() && mem.inPlace() ? work : mem.input();
    if (halving.sitsOut()) {
      Link receiver = comm.link(halving.rankAt(halving.foldedPlace()));
      flow.offer(receiver, operand, workType(param, halving.foldedPlace()));
      flow.awaitTaken(receiver);
      return;
    }
    List<Slice> parts = halving.parts(mem.count(), param.dataType());
    if (halving.isFolded(halving.place())) {
      fold(param, flow, comm, operand, work.slice(0, operand.size()));
      operand = work;
    }
    halve(param, flow, comm, parts, operand, work);
    gather(param, new Push(flow.stream()), comm, parts, work);
  }

  private static void copyAlone(ExecMem mem) {
    if (!mem.inPlace()) {
      mem.resources().mainStream().copy(mem.output(), mem.input());
    }
  }

  /** Adds the operand of a rank that sits out. */
  private static void fold(
      ReduceParam param, ReduceFlow flow, SubCommInfo comm, DeviceMem operand, DeviceMem work) {
    Halving halving = Halving.of(param);
    Link link = comm.link(halving.rankAt(halving.foldedPlace()));
    flow.open(link, work, operand);
    flow.combine(List.of(link), List.of(inputMemType(param)), work, operand);
  }

  /** Partners give each other the half of their parts that the other one keeps. */
  private static void halve(
      ReduceParam param,
      ReduceFlow flow,
      SubCommInfo comm,
      List<Slice> parts,
      DeviceMem operand,
      DeviceMem work) {
    Halving halving = Halving.of(param);
    DeviceMem source = operand;
    for (int distance : halving.distances()) {
      int partner = halving.place() ^ distance;
      Link link = comm.link(halving.rankAt(partner));
      DeviceMem sum = work.slice(halving.kept(parts, distance));
      DeviceMem own = source.slice(halving.kept(parts, distance));
      flow.open(link, sum, own);
      flow.offer(link, source.slice(halving.given(parts, distance)), workType(param, partner));
      flow.combine(List.of(link), List.of(offeredType(param, partner, distance)), sum, own);
      flow.awaitTaken(link);
      source = work;
    }
  }

  /** The tree is over places, so that every subtree has one run of parts. */
  private static void gather(
      ReduceParam param, Push push, SubCommInfo comm, List<Slice> parts, DeviceMem work) {
    Halving halving = Halving.of(param);
    BinomialTree tree = new BinomialTree(halving.place(), halving.power(), 0);
    List<Link> children =
        tree.children().stream().map(place -> comm.link(halving.rankAt(place))).toList();
    children.forEach(push::open);
    children.forEach(push::receive);
    if (!tree.isRoot()) {
      Link parent = comm.link(halving.rankAt(tree.parent()));
      DeviceMem sums = work.slice(Halving.run(parts, tree.place(), tree.span()));
      DeviceMem there = parent.remote(workType(param, tree.parent()));
      push.send(parent, there.slice(sums.offset(), sums.size()), sums);
    }
  }

  @Override
  public Optional<Cost> cost(ReduceParam param) {
    if (param.count() == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    int power = Halving.of(param).power();
    double folds = power == param.comm().rankSize() ? 0 : 1;
    double steps =
        Rounds.of(param.count(), maxCountPerRound(param))
            .sum(count -> folds + BinomialTree.degree(power) + gatherSteps(power, count));
    double share = (power - 1.0) / power;
    return Optional.of(
        new Cost(
            steps,
            (folds + 2 * share) * param.messageBytes(),
            (folds + share) * param.messageBytes()));
  }

  /** The steps of the gather: the depth of the tree of the places that have elements. */
  private static int gatherSteps(int power, long count) {
    return BinomialTree.depth((int) Math.min(power, count));
  }

  /**
   * The order of operands depends only on places, and reductions give the same bits in either
   * order.
   */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
