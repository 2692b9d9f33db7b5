package dev.tutti.plugins.tree;

import dev.tutti.plugins.template.Push;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Linear scatter: every rank reads its block from the root's input, all at the same time; over RDMA
 * links the root writes them, one after another.
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
        param.comm(), param.root(), pulls(param) ? inputMemType(param) : outputMemType(param));
  }

  private static boolean pulls(ScatterParam param) {
    return param.comm().protocol(CommPlane.COMBINED) == Protocol.DIRECT;
  }

  @Override
  protected void kernelRun(ScatterParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    boolean isRoot = comm.localRank() == param.root();
    if (isRoot && pulls(param)) {
      offer(mem, Star.leafLinks(comm));
    } else if (isRoot) {
      write(mem, comm);
    } else if (pulls(param)) {
      read(param, mem, comm);
    } else {
      Push push = new Push(mem.resources().mainStream());
      push.open(comm.link(param.root()));
      push.receive(comm.link(param.root()));
    }
    if (isRoot) {
      mem.resources().mainStream().copy(mem.output(), mem.inputBlock(param.root()));
    }
  }

  /** Lets all other ranks read, and waits until they have. */
  private static void offer(ExecMem mem, List<Link> leaves) {
    Stream stream = mem.resources().mainStream();
    leaves.forEach(link -> link.post(stream, Link.FIN));
    leaves.forEach(link -> link.await(stream, Link.FIN_ACK));
  }

  private static void read(ScatterParam param, ExecMem mem, SubCommInfo comm) {
    Stream stream = mem.resources().mainStream();
    Link root = comm.link(param.root());
    long offset = comm.localRank() * mem.output().size();
    root.await(stream, Link.FIN);
    root.read(
        stream, mem.output(), root.remote(inputMemType(param)).slice(offset, mem.output().size()));
    root.post(stream, Link.FIN_ACK);
  }

  private static void write(ExecMem mem, SubCommInfo comm) {
    Push push = new Push(mem.resources().mainStream());
    for (int leaf : Star.leaves(comm)) {
      Link link = comm.link(leaf);
      push.send(link, link.remote(mem.output()), mem.inputBlock(leaf));
    }
  }

  @Override
  public Optional<Cost> cost(ScatterParam param) {
    double others = param.comm().rankSize() - 1;
    double steps = pulls(param) ? Math.min(1, others) : others;
    return Optional.of(
        new Cost(steps * rounds(param), others * param.recvCount() * param.dataType().size(), 0));
  }

  /** Elements are only copied. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
