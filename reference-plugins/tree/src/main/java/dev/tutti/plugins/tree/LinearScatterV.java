package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * Linear scatter of blocks of different sizes: the root writes the block of every other rank, one
 * after another, because only the root knows their places in its input.
 *
 * <p>Source: the linear scatter of Open MPI. Cost for p ranks and n bytes of all but the root:
 * {@code (p-1)α + nβ}.
 */
@CollAlgorithm(
    name = "linear",
    summary = "The root writes to every rank in turn: each byte moves once",
    source = "Open MPI, basic linear scatter",
    formula = "(p-1)α + nβ for n bytes of all ranks but the root")
public final class LinearScatterV extends NativeExecutorBase<ScatterVParam> {

  @Override
  protected OpCommTransport calcCommInfo(ScatterVParam param) {
    return Star.links(param.comm(), param.root(), outputMemType(param));
  }

  @Override
  protected void kernelRun(ScatterVParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Push push = new Push(mem.resources().mainStream());
    if (comm.localRank() != param.root()) {
      push.open(comm.link(param.root()));
      push.receive(comm.link(param.root()));
      return;
    }
    for (int leaf : Star.leaves(comm)) {
      DeviceMem block = mem.inputBlock(leaf);
      Link link = comm.link(leaf);
      push.send(link, link.remote(outputMemType(param)).slice(0, block.size()), block);
    }
    push.stream().copy(mem.output(), mem.inputBlock(param.root()));
  }

  @Override
  public Optional<Cost> cost(ScatterVParam param) {
    return Optional.of(
        Star.cost(param.recvCounts(), param.root(), maxCountPerRound(param), param.dataType()));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
