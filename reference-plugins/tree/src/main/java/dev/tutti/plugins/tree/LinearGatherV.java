package dev.tutti.plugins.tree;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Optional;

/**
 * Linear gather of blocks of different sizes: the root reads the block of every other rank, one
 * after another, because only the root knows their places in its output.
 *
 * <p>Source: the linear gather of Open MPI. Cost for p ranks and n bytes of all but the root:
 * {@code (p-1)α + nβ}.
 */
@CollAlgorithm(
    name = "linear",
    summary = "The root reads from every rank in turn: each byte moves once",
    source = "Open MPI, basic linear gather",
    formula = "(p-1)α + nβ for n bytes of all ranks but the root")
public final class LinearGatherV extends NativeExecutorBase<GatherVParam> {

  @Override
  protected OpCommTransport calcCommInfo(GatherVParam param) {
    return Star.links(param.comm(), param.root(), inputMemType(param));
  }

  @Override
  protected void kernelRun(GatherVParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    if (comm.localRank() != param.root()) {
      comm.link(param.root()).post(stream, Link.READY);
      comm.link(param.root()).await(stream, Link.FIN_ACK);
      return;
    }
    stream.copy(mem.outputBlock(param.root()), mem.input());
    for (int leaf : Star.leaves(comm)) {
      DeviceMem block = mem.outputBlock(leaf);
      Link link = comm.link(leaf);
      link.await(stream, Link.READY);
      link.read(stream, block, link.remote(inputMemType(param)).slice(0, block.size()));
      link.post(stream, Link.FIN_ACK);
    }
  }

  @Override
  public Optional<Cost> cost(GatherVParam param) {
    return Optional.of(
        Star.cost(param.sendCounts(), param.root(), maxCountPerRound(param), param.dataType()));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
