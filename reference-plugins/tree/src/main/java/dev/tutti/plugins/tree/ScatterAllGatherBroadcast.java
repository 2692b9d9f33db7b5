package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.Push;
import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Van de Geijn's broadcast: the root scatters the vector down a binomial tree, one part to each
 * rank. Then a ring all-gather brings every rank the parts of the others. Each part goes directly
 * to its final place.
 *
 * <p>Source: M. Barnett, S. Gupta, D. Payne, L. Shuler, R. van de Geijn, J. Watts, "Interprocessor
 * collective communication library", SHPCC 1994. Cost for p ranks and n bytes: {@code (⌈log2(p)⌉ +
 * p-1)α + 2(p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "scatter-allgather",
    summary = "Binomial scatter and ring all-gather: few bytes for every rank, for long vectors",
    source = "Barnett et al.: Interprocessor collective communication library, SHPCC 1994",
    formula = "(⌈log2(p)⌉ + p-1)α + 2(p-1)/p·nβ")
public final class ScatterAllGatherBroadcast extends NativeExecutorBase<BroadcastParam> {

  private final RingAllGather allGather = new RingAllGather();

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    TransportMemType output = outputMemType(param);
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    links.tree(CommPlane.COMBINED, output, output, param.root());
    allGather.requestLinks(links, CommPlane.COMBINED, output, output);
    return links.build();
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    BinomialTree tree = BinomialTree.of(comm, param.root());
    List<Slice> parts = Slice.partition(mem.count(), comm.localRankSize(), param.dataType().size());
    scatter(mem, comm, tree, parts);
    allGather.run(
        comm,
        new TemplateParam(
            mem.resources().mainStream(),
            mem.output(),
            mem.output(),
            IntStream.range(0, parts.size())
                .mapToObj(rank -> parts.get(tree.at(rank).place()))
                .toList(),
            param.dataType(),
            null));
  }

  /** Part i belongs to place i, so that each subtree has one run of parts. */
  private static void scatter(ExecMem mem, SubCommInfo comm, BinomialTree tree, List<Slice> parts) {
    Push push = new Push(mem.resources().mainStream());
    if (!tree.isRoot()) {
      push.open(comm.link(tree.parent()));
      push.receive(comm.link(tree.parent()));
    }
    DeviceMem data = tree.isRoot() ? mem.input() : mem.output();
    for (int child : tree.children().reversed()) {
      Link link = comm.link(child);
      Slice run = run(parts, tree.at(child));
      push.send(link, link.remote(mem.output().slice(run)), data.slice(run));
    }
    if (tree.isRoot() && !mem.inPlace()) {
      push.stream().copy(mem.output().slice(parts.getFirst()), data.slice(parts.getFirst()));
    }
  }

  private static Slice run(List<Slice> parts, BinomialTree subtree) {
    Slice first = parts.get(subtree.place());
    Slice last = parts.get(subtree.end() - 1);
    return new Slice(first.offset(), last.offset() + last.size() - first.offset());
  }

  @Override
  public Optional<Cost> cost(BroadcastParam param) {
    if (param.count() == 0) {
      return Optional.of(new Cost(0, 0, 0));
    }
    int ranks = param.comm().rankSize();
    double steps =
        Rounds.of(param.count(), maxCountPerRound(param))
            .sum(count -> scatterSteps(ranks, count) + ranks - 1.0);
    double share = (ranks - 1.0) / ranks * param.messageBytes();
    return Optional.of(new Cost(steps, 2 * share, 0));
  }

  /** The steps of the scatter; ranks without elements receive nothing. */
  private static int scatterSteps(int ranks, long count) {
    return BinomialTree.degree((int) Math.min(ranks, count));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
