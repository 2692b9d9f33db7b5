package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Star gather of blocks of different sizes, empty ones too: the root reads the block of every other
 * rank, one after another.
 *
 * <p>Right for every number of ranks and every root, in both workflow modes and over both
 * protocols. Cost for p ranks and n bytes of all but the root: {@code (p-1)α + nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "The root reads the block of every rank in turn: each byte moves once",
    formula = "(p-1)α + nβ for n bytes of all ranks but the root")
public final class ${algorithmName} extends NativeExecutorBase<GatherVParam> {

  /**
   * The links of this rank. Both ends ask for a link in the same way: here the root asks for all
   * other ranks, and each of them for the root.
   */
  @Override
  protected OpCommTransport calcCommInfo(GatherVParam param) {
    CommInfo comm = param.comm();
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode; peers use no other.
    TransportMemType input = inputMemType(param);
    return comm.rank() == param.root()
        ? OpCommTransport.mesh(comm, CommPlane.COMBINED, input, input)
        : OpCommTransport.pairs(comm, CommPlane.COMBINED, input, input, param.root());
  }

  /**
   * What this rank does in one round. Nothing runs here: each call emits an action of the plan,
   * which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(GatherVParam param, ExecMem mem) {
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

  /** Data is only moved, so nothing changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
