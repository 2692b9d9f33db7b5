package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeReduce;
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
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial reduce: in each step, half of the ranks that still have a partial result send it to a
 * rank of the other half.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for p ranks and n
 * bytes: {@code ⌈log2(p)⌉(α + n(β + γ))}.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Up a binomial tree: the fewest steps, for short vectors",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "⌈log2(p)⌉(α + n(β + γ))")
public final class BinomialReduce extends NativeExecutorBase<ReduceParam> {

  /** Scratch memory for the partial result of an inner rank. */
  @Override
  protected long calcScratchMemSize(ReduceParam param) {
    BinomialTree tree = tree(param);
    return tree.isRoot() || tree.isLeaf() ? 0 : maxCountPerRound(param) * param.dataType().size();
  }

  private static BinomialTree tree(ReduceParam param) {
    return new BinomialTree(param.comm().rank(), param.comm().rankSize(), param.root());
  }

  @Override
  protected OpCommTransport calcCommInfo(ReduceParam param) {
    boolean pulls = param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    template(param)
        .requestLinks(
            links,
            CommPlane.COMBINED,
            TransportMemType.SCRATCH,
            pulls ? inputMemType(param) : outputMemType(param));
    return links.build();
  }

  private static TreeReduce template(ReduceParam param) {
    return new TreeReduce(param.root(), inputMemType(param), outputMemType(param));
  }

  @Override
  protected void kernelRun(ReduceParam param, ExecMem mem) {
    BinomialTree tree = tree(param);
    DeviceMem result =
        tree.isRoot()
            ? mem.output()
            : mem.scratch().slice(0, tree.isLeaf() ? 0 : mem.input().size());
    template(param)
        .run(
            mem.resources().subComm(CommPlane.COMBINED),
            new TemplateParam(
                mem.resources().mainStream(),
                mem.inPlace() && tree.isRoot() ? result : mem.input(),
                result,
                List.of(new Slice(0, mem.input().size())),
                param.dataType(),
                param.reduceOp()));
  }

  @Override
  public Optional<Cost> cost(ReduceParam param) {
    double steps = BinomialTree.degree(param.comm().rankSize());
    double bytes = steps * param.messageBytes();
    return Optional.of(new Cost(steps * rounds(param), bytes, bytes));
  }

  /**
   * The tree depends only on the root and the number of ranks, and is the same for all elements.
   */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
