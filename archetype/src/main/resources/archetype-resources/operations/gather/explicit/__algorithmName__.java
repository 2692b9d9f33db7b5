package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Star gather: the root reads the block of every other rank, one after another.
 *
 * <p>Correct for every number of ranks and every root, in both workflow modes and over both
 * protocols. Cost for p ranks and n bytes in all blocks but the root's: {@code (p-1)α + nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "The root reads the block of every rank in turn: each byte moves once",
    formula = "(p-1)α + nβ for n bytes of all ranks but the root")
public final class ${algorithmName} extends NativeExecutorBase<GatherParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here the root
   * requests links to all other ranks, and each of them requests one to the root.
   */
  @Override
  protected OpCommTransport calcCommInfo(GatherParam param) {
    CommInfo comm = param.comm();
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType input = inputMemType(param);
    return comm.rank() == param.root()
        ? OpCommTransport.mesh(comm, CommPlane.COMBINED, input, input)
        : OpCommTransport.pairs(comm, CommPlane.COMBINED, input, input, param.root());
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(GatherParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    if (comm.localRank() != param.root()) {
      Link root = comm.link(param.root());
      root.post(stream, Link.READY); // my input may be read
      root.await(stream, Link.FIN); // and has been
      return;
    }
    stream.copy(mem.outputBlock(param.root()), mem.input());
    for (int rank = 0; rank < comm.localRankSize(); rank++) {
      if (rank != param.root()) {
        Link link = comm.link(rank);
        DeviceMem block = mem.outputBlock(rank);
        link.await(stream, Link.READY);
        link.read(stream, block, link.remote(inputMemType(param)).slice(0, block.size()));
        link.post(stream, Link.FIN); // your input has been read
      }
    }
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
