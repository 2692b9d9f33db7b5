package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Exchange;
import dev.tutti.plugins.template.Incoming;
import dev.tutti.plugins.template.Outgoing;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear broadcast: all ranks read the vector from the root at the same time. Over RDMA links, the
 * root writes it to one rank after another. In both cases, no rank waits for the copy of another.
 *
 * <p>Source: the linear broadcast of Open MPI. Cost for p ranks and n bytes: {@code α + (p-1)nβ}
 * over direct links, {@code (p-1)(α + nβ)} over RDMA links.
 */
@CollAlgorithm(
    name = "linear",
    summary = "Every rank reads from the root at once: one step, for few ranks that share memory",
    source = "Open MPI, basic linear broadcast",
    formula = "α + (p-1)nβ over direct links, with (p-1)α over RDMA links")
public final class LinearBroadcast extends NativeExecutorBase<BroadcastParam> {

  @Override
  protected OpCommTransport calcCommInfo(BroadcastParam param) {
    return Star.links(
        param.comm(),
        param.root(),
        Star.isPulled(param.comm()) ? inputMemType(param) : outputMemType(param));
  }

  @Override
  protected void kernelRun(BroadcastParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    if (comm.localRank() == param.root()) {
      List<Outgoing> copies =
          Star.leafLinks(comm).stream()
              .map(link -> new Outgoing(link, mem.input(), mem.output()))
              .toList();
      new Exchange(copies, List.of())
          .run(
              stream,
              () -> {
                if (!mem.inPlace()) {
                  stream.copy(mem.output(), mem.input());
                }
              });
    } else {
      Incoming whole = new Incoming(comm.link(param.root()), mem.output(), inputMemType(param), 0);
      new Exchange(List.of(), List.of(whole)).run(stream);
    }
  }

  @Override
  public Optional<Cost> cost(BroadcastParam param) {
    double others = param.comm().rankSize() - 1;
    double steps = Star.isPulled(param.comm()) ? Math.min(1, others) : others;
    return Optional.of(new Cost(steps * rounds(param), others * param.messageBytes(), 0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
