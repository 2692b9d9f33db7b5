package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.BinomialTree;
import dev.tutti.plugins.template.TreeGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Binomial gather of blocks of different sizes: in each step, half of the ranks that still have
 * blocks send all of them to a rank of the other half.
 *
 * <p>Source: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, "Collective communication:
 * theory, practice, and experience", Concurrency and Computation 19(13), 2007. Cost for p ranks, a
 * power of two, and n bytes in all: {@code log2(p)·α + (p-1)/p·nβ} for equal blocks. There is no
 * closed form for other blocks: a block costs its bytes on each link on its way to the root, unless
 * a larger block moves at the same time.
 */
@CollAlgorithm(
    name = "binomial",
    summary = "Up a binomial tree, growing: the fewest steps, for short blocks of many ranks",
    source =
        "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication, CCPE 19(13), 2007",
    formula =
        "log2(p)·α + (p-1)/p·nβ for equal blocks, else a block counts on each link it crosses")
public final class BinomialGatherV extends NativeExecutorBase<GatherVParam> {

  @Override
  protected long calcScratchMemSize(GatherVParam param) {
    return TreeGather.scratchBytes(tree(param), blocks(param, 0).staged());
  }

  private static BinomialTree tree(GatherVParam param) {
    return new BinomialTree(param.comm().rank(), param.comm().rankSize(), param.root());
  }

  private static RoundBlocks blocks(GatherVParam param, long done) {
    return new RoundBlocks(
        param.sendCounts(), done, maxCountPerRound(param), param.dataType().size());
  }

  @Override
  protected OpCommTransport calcCommInfo(GatherVParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    template(param)
        .requestLinks(links, CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    return links.build();
  }

  private static TreeGather template(GatherVParam param) {
    return new TreeGather(param.root(), outputMemType(param));
  }

  /** Does its own staging in OP_BASE mode, because it has to know the blocks of its subtree. */
  @Override
  public void orchestrate(GatherVParam param, AlgResourceResponse resources) {
    if (param.comm().mode() == WorkflowMode.GRAPH) {
      super.orchestrate(param, resources);
      return;
    }
    for (long round = 0; round < rounds(param); round++) {
      RoundBlocks blocks = blocks(param, round * maxCountPerRound(param));
      int rank = param.comm().rank();
      DeviceMem input = resources.cclInputMem().slice(0, blocks.bytes(rank));
      resources.mainStream().copy(input, blocks.own(resources.paramInputMem(), rank));
      gather(param, resources, input, resources.cclOutputMem(), blocks.staged());
      if (rank == param.root()) {
        blocks.unstage(resources);
      }
    }
  }

  @Override
  protected void kernelRun(GatherVParam param, ExecMem mem) {
    gather(param, mem.resources(), mem.input(), mem.output(), blocks(param, 0).staged());
  }

  private static void gather(
      GatherVParam param,
      AlgResourceResponse resources,
      DeviceMem input,
      DeviceMem output,
      List<Slice> blocks) {
    template(param)
        .run(
            resources.subComm(CommPlane.COMBINED),
            new TemplateParam(
                resources.mainStream(),
                input,
                tree(param).isRoot() ? output : resources.scratchMem(),
                blocks,
                param.dataType(),
                null));
  }

  /** A closed form for equal blocks. */
  @Override
  public Optional<Cost> cost(GatherVParam param) {
    long count = param.sendCounts().getFirst();
    if (param.sendCounts().stream().anyMatch(other -> other != count)) {
      return Optional.empty();
    }
    double others = param.comm().rankSize() - 1;
    double bytes = others * count * param.dataType().size();
    return Optional.of(BinomialGather.cost(tree(param).at(param.root()), rounds(param), bytes));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
