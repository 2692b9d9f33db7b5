package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Star scatter of blocks of different sizes, including empty ones: the root writes every other rank
 * its block, one after another.
 *
 * <p>Correct for every number of ranks and every root, in both workflow modes and over both
 * protocols. Cost for p ranks and n bytes in all blocks but the root's: {@code (p-1)α + nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "The root writes to every rank in turn: each byte moves once",
    formula = "(p-1)α + nβ for n bytes of all ranks but the root")
public final class ${algorithmName} extends NativeExecutorBase<ScatterVParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here the root
   * requests links to all other ranks, and each of them requests one to the root.
   */
  @Override
  protected OpCommTransport calcCommInfo(ScatterVParam param) {
    CommInfo comm = param.comm();
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType output = outputMemType(param);
    return comm.rank() == param.root()
        ? OpCommTransport.mesh(comm, CommPlane.COMBINED, output, output)
        : OpCommTransport.pairs(comm, CommPlane.COMBINED, output, output, param.root());
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ScatterVParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    if (comm.localRank() != param.root()) {
      Link root = comm.link(param.root());
      root.post(stream, Link.READY); // my output may be written
      root.await(stream, Link.FIN); // and has been
      return;
    }
    stream.copy(mem.output(), mem.inputBlock(param.root()));
    for (int rank = 0; rank < comm.localRankSize(); rank++) {
      if (rank != param.root()) {
        Link link = comm.link(rank);
        DeviceMem block = mem.inputBlock(rank);
        link.await(stream, Link.READY);
        link.write(stream, link.remote(outputMemType(param)).slice(0, block.size()), block);
        link.post(stream, Link.FIN); // your output has been written
      }
    }
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
