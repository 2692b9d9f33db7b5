package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Star barrier: every rank signals to rank 0 that it has entered. When all ranks have, rank 0
 * signals to them.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks: {@code 2(p-1)} signals; no data moves.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank signals to rank 0, which signals to all: simple, for few ranks",
    formula = "2(p-1) signals")
public final class ${algorithmName} extends NativeExecutorBase<BarrierParam> {

  private static final int ROOT = 0;

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here rank 0
   * requests links to all other ranks, and each of them requests one to rank 0.
   */
  @Override
  protected OpCommTransport calcCommInfo(BarrierParam param) {
    CommInfo comm = param.comm();
    TransportMemType input = inputMemType(param);
    TransportMemType output = outputMemType(param);
    return comm.rank() == ROOT
        ? OpCommTransport.mesh(comm, CommPlane.COMBINED, input, output)
        : OpCommTransport.pairs(comm, CommPlane.COMBINED, input, output, ROOT);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(BarrierParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    if (comm.localRank() != ROOT) {
      Link root = comm.link(ROOT);
      root.post(stream, Link.READY); // I have entered
      root.await(stream, Link.FIN); // and so have all others
      return;
    }
    for (int rank = 1; rank < comm.localRankSize(); rank++) {
      comm.link(rank).await(stream, Link.READY);
    }
    // FIN is never set when it is posted: the peer awaited the last FIN before it posted READY.
    for (int rank = 1; rank < comm.localRankSize(); rank++) {
      comm.link(rank).post(stream, Link.FIN);
    }
  }

  /** There is no data, so there are no bits that could differ. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
