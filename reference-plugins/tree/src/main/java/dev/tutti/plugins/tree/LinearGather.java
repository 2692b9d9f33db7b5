package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear gather: all ranks write their blocks into the root's output at the same time.
 *
 * <p>Source: the linear gather of Open MPI. Cost for p ranks and n bytes in all: {@code α +
 * (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "linear",
    summary = "Every rank writes to the root at once: one step, for few ranks or long blocks",
    source = "Open MPI, basic linear gather",
    formula = "α + (p-1)/p·nβ")
public final class LinearGather extends NativeExecutorBase<GatherParam> {

  @Override
  protected OpCommTransport calcCommInfo(GatherParam param) {
    return Star.links(param.comm(), param.root(), outputMemType(param));
  }

  @Override
  protected void kernelRun(GatherParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Push push = new Push(mem.resources().mainStream());
    if (comm.localRank() != param.root()) {
      Link root = comm.link(param.root());
      long offset = comm.localRank() * mem.input().size();
      push.send(
          root, root.remote(outputMemType(param)).slice(offset, mem.input().size()), mem.input());
      return;
    }
    List<Link> leaves = Star.leafLinks(comm);
    leaves.forEach(push::open);
    push.stream().copy(mem.outputBlock(param.root()), mem.input());
    leaves.forEach(push::receive);
  }

  @Override
  public Optional<Cost> cost(GatherParam param) {
    double others = param.comm().rankSize() - 1;
    return Optional.of(
        new Cost(
            Math.min(1, others) * rounds(param),
            others * param.sendCount() * param.dataType().size(),
            0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
