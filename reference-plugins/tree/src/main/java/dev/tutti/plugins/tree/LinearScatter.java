package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear scatter: all ranks read their blocks from the root's input at the same time. Over RDMA
 * links, the root writes the blocks, one after another.
 *
 * <p>Source: the linear scatter of Open MPI. Cost for p ranks and n bytes in all: {@code α +
 * (p-1)/p·nβ} over direct links, {@code (p-1)α + (p-1)/p·nβ} over RDMA links.
 */
@CollAlgorithm(
    name = "linear",
    summary = "Every rank reads from the root at once: one step, for few ranks or long blocks",
    source = "Open MPI, basic linear scatter",
    formula = "α + (p-1)/p·nβ; (p-1)α + (p-1)/p·nβ over RDMA links")
public final class LinearScatter extends NativeExecutorBase<ScatterParam> {

  @Override
  protected OpCommTransport calcCommInfo(ScatterParam param) {
    return Star.links(
        param.comm(),
        param.root(),
        Star.isPulled(param.comm()) ? inputMemType(param) : outputMemType(param));
  }

  @Override
  protected void kernelRun(ScatterParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRank() == param.root()) {
      new Exchange(blocks(mem, comm), List.of())
          .run(stream, () -> stream.copy(mem.output(), mem.inputBlock(param.root())));
    } else {
      long offset = comm.localRank() * mem.output().size();
      Incoming block =
          new Incoming(comm.link(param.root()), mem.output(), inputMemType(param), offset);
      new Exchange(List.of(), List.of(block)).run(stream);
    }
  }

  /** The blocks of all other ranks. */
  private static List<Outgoing> blocks(ExecMem mem, SubCommInfo comm) {
    return Star.leaves(comm).stream()
        .map(leaf -> new Outgoing(comm.link(leaf), mem.inputBlock(leaf), mem.output()))
        .toList();
  }

  @Override
  public Optional<Cost> cost(ScatterParam param) {
    double others = param.comm().rankSize() - 1;
    double steps = Star.isPulled(param.comm()) ? Math.min(1, others) : others;
    return Optional.of(
        new Cost(steps * rounds(param), others * param.recvCount() * param.dataType().size(), 0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
