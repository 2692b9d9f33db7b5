package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial scatter of blocks of different sizes: in each step, every rank that has blocks for other
 * ranks sends half of them to a rank that has none.
 *
 * <p>Source: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication:
 * theory, practice, and experience", Concurrency and Computation 19(13), 2007. Cost for p ranks and
 * n bytes in all: {@code ⌈log2(p)⌉α + (p-1)/p·nβ} for equal blocks. There is no closed form for
 * other blocks: a block costs its bytes on each link on its way from the root, unless a larger
 * block moves at the same time.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Down a binomial tree, shrinking: the fewest steps, for short blocks of many ranks",
    source =
        "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication, CCPE 19(13), 2007",
    formula =
        "⌈log2(p)⌉α + (p-1)/p·nβ for equal blocks, else a block counts on each link it crosses")
public final class BinomialScatterV extends NativeExecutorBase<ScatterVParam> {

  @Override
  protected long calcScratchMemSize(ScatterVParam param) {
    return TreeScatter.scratchBytes(tree(param), blocks(param, 0).staged());
  }

  private static BinomialTree tree(ScatterVParam param) {
    return new BinomialTree(param.comm().rank(), param.comm().rankSize(), param.root());
  }

  private static RoundBlocks blocks(ScatterVParam param, long done) {
    return new RoundBlocks(
        param.recvCounts(), done, maxCountPerRound(param), param.dataType().size());
  }

  @Override
  protected OpCommTransport calcCommInfo(ScatterVParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    template(param)
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  private static TreeScatter template(ScatterVParam param) {
    return new TreeScatter(param.root());
  }

  /** Does its own staging in OP_BASE mode, because it has to know the blocks of its subtree. */
  @Override
  public void orchestrate(ScatterVParam param, AlgResourceResponse resources) {
    if (param.comm().mode() == WorkflowMode.GRAPH) {
      super.orchestrate(param, resources);
      return;
    }
    for (long round = 0; round < rounds(param); round++) {
      RoundBlocks blocks = blocks(param, round * maxCountPerRound(param));
      int rank = param.comm().rank();
      if (rank == param.root()) {
        blocks.stage(resources);
      }
      DeviceMem output = resources.cclOutputMem().slice(0, blocks.bytes(rank));
      scatter(param, resources, resources.cclInputMem(), output, blocks.staged());
      resources.mainStream().copy(blocks.own(resources.paramOutputMem(), rank), output);
    }
  }

  @Override
  protected void kernelRun(ScatterVParam param, ExecMem mem) {
    scatter(param, mem.resources(), mem.input(), mem.output(), blocks(param, 0).staged());
  }

  private static void scatter(
      ScatterVParam param,
      AlgResourceResponse resources,
      DeviceMem input,
      DeviceMem output,
      List<Slice> blocks) {
    template(param)
        .run(
            resources.subComm(CommPlane.COMBINED),
            new TemplateParam(
                resources.mainStream(),
                tree(param).isRoot() ? input : resources.scratchMem(),
                output,
                blocks,
                param.dataType(),
                null));
  }

  /** A closed form for equal blocks. */
  @Override
  public Optional<Cost> cost(ScatterVParam param) {
    long count = param.recvCounts().getFirst();
    if (param.recvCounts().stream().anyMatch(other -> other != count)) {
      return Optional.empty();
    }
    double others = param.comm().rankSize() - 1;
    double bytes = others * count * param.dataType().size();
    return Optional.of(BinomialScatter.cost(tree(param).at(param.root()), rounds(param), bytes));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
