package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial scatter: in each step, every rank that has blocks for other ranks sends half of them to
 * a rank that has none.
 *
 * <p>Source: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication:
 * theory, practice, and experience", Concurrency and Computation 19(13), 2007. Cost for p ranks and
 * n bytes in all: {@code ⌈log2(p)⌉α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Down a binomial tree, shrinking: the fewest steps, for short blocks of many ranks",
    source =
        "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication, CCPE 19(13), 2007",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ")
public final class BinomialScatter extends NativeExecutorBase<ScatterParam> {

  @Override
  protected long calcScratchMemSize(ScatterParam param) {
    return TreeScatter.scratchBytes(tree(param), blocks(param, maxCountPerRound(param)));
  }

  private static BinomialTree tree(ScatterParam param) {
    return new BinomialTree(param.comm().rank(), param.comm().rankSize(), param.root());
  }

  private static List<Slice> blocks(ScatterParam param, long count) {
    int ranks = param.comm().rankSize();
    return Slice.partition(count * ranks, ranks, param.dataType().size());
  }

  @Override
  protected OpCommTransport calcCommInfo(ScatterParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    template(param)
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  private static TreeScatter template(ScatterParam param) {
    return new TreeScatter(param.root());
  }

  @Override
  protected void kernelRun(ScatterParam param, ExecMem mem) {
    template(param)
        .run(
            mem.resources().subComm(CommPlane.COMBINED),
            new TemplateParam(
                mem.resources().mainStream(),
                tree(param).isRoot() ? mem.input() : mem.scratch(),
                mem.output(),
                blocks(param, mem.count()),
                param.dataType(),
                null));
  }

  @Override
  public Optional<Cost> cost(ScatterParam param) {
    double others = param.comm().rankSize() - 1;
    double bytes = others * param.recvCount() * param.dataType().size();
    return Optional.of(cost(tree(param).at(param.root()), rounds(param), bytes));
  }

  /**
   * The cost to scatter equal blocks.
   *
   * @param bytes the bytes of all blocks except the root's
   */
  static Cost cost(BinomialTree root, long rounds, double bytes) {
    return new Cost((double) steps(root) * rounds, bytes, 0);
  }

  /** The root takes one step for each child, and one more if a child's blocks are in two places. */
  private static int steps(BinomialTree tree) {
    boolean isAnySplit = tree.children().stream().map(tree::at).anyMatch(BinomialTree::isSplit);
    return tree.children().size() + (isAnySplit ? 1 : 0);
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
