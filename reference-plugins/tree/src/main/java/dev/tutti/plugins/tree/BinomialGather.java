package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial gather: in each step, half of the ranks that still have blocks send all of them to a
 * rank of the other half.
 *
 * <p>Source: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication:
 * theory, practice, and experience", Concurrency and Computation 19(13), 2007. Cost for p ranks, a
 * power of two, and n bytes in all: {@code log2(p)·α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Up a binomial tree, growing: the fewest steps, for short blocks of many ranks",
    source =
        "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication, CCPE 19(13), 2007",
    formula = "log2(p)·α + (p-1)/p·nβ")
public final class BinomialGather extends NativeExecutorBase<GatherParam> {

  @Override
  protected long calcScratchMemSize(GatherParam param) {
    return TreeGather.scratchBytes(tree(param), blocks(param, maxCountPerRound(param)));
  }

  private static BinomialTree tree(GatherParam param) {
    return new BinomialTree(param.comm().rank(), param.comm().rankSize(), param.root());
  }

  private static List<Slice> blocks(GatherParam param, long count) {
    int ranks = param.comm().rankSize();
    return Slice.partition(count * ranks, ranks, param.dataType().size());
  }

  @Override
  protected OpCommTransport calcCommInfo(GatherParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    template(param)
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  private static TreeGather template(GatherParam param) {
    return new TreeGather(param.root(), outputMemType(param));
  }

  @Override
  protected void kernelRun(GatherParam param, ExecMem mem) {
    template(param)
        .run(
            mem.resources().subComm(CommPlane.COMBINED),
            new TemplateParam(
                mem.resources().mainStream(),
                mem.input(),
                tree(param).isRoot() ? mem.output() : mem.scratch(),
                blocks(param, mem.count()),
                param.dataType(),
                null));
  }

  @Override
  public Optional<Cost> cost(GatherParam param) {
    double others = param.comm().rankSize() - 1;
    double bytes = others * param.sendCount() * param.dataType().size();
    return Optional.of(cost(tree(param).at(param.root()), rounds(param), bytes));
  }

  /**
   * The cost to gather equal blocks.
   *
   * @param bytes the bytes of all blocks except the root's
   */
  static Cost cost(BinomialTree root, long rounds, double bytes) {
    double steps = rounds == 0 ? 0 : first(root) + (rounds - 1.0) * further(root);
    return new Cost(steps, bytes, 0);
  }

  /**
   * The steps of the first round: a subtree takes as many steps as it is deep, and then passes its
   * blocks on.
   */
  private static int first(BinomialTree root) {
    return root.children().stream()
        .map(root::at)
        .mapToInt(child -> BinomialTree.depth(child.span()) + handOver(child))
        .max()
        .orElse(0);
  }

  /**
   * The steps of each further round. The levels of the tree overlap, so only the children of the
   * root count: each gets the blocks that its own children have ready, and passes them on.
   */
  private static int further(BinomialTree root) {
    return root.children().stream()
        .map(root::at)
        .mapToInt(child -> (child.isLeaf() ? 0 : 1) + handOver(child))
        .max()
        .orElse(0);
  }

  /** The steps to pass a subtree's blocks on: two if they go to two places at the root. */
  private static int handOver(BinomialTree child) {
    return child.isSplit() ? 2 : 1;
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
