package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Mesh all-to-all: every rank writes its blocks to the ranks they are for, one after another.
 *
 * <p>Right for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and blocks of m bytes: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank writes its blocks to all others in turn: simple, for long blocks",
    formula = "(p-1)(α + mβ) for blocks of m bytes")
public final class ${algorithmName} extends NativeExecutorBase<AllToAllParam> {

  /**
   * The links of this rank. Both ends ask for a link in the same way: here every rank asks for all
   * others.
   */
  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode; peers use no other.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, output, output);
  }

  /**
   * What this rank does in one round. Nothing runs here: each call emits an action of the plan,
   * which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    // All post before any awaits: ranks that first wait for one another wait forever.
    for (int distance = 1; distance < ranks; distance++) {
      comm.link(peer(comm, distance)).post(stream, Link.READY); // my output may be written
    }
    // Blocks are of one size, so the block of a rank lies at one place in everybody's output.
    DeviceMem mine = mem.outputBlock(comm.localRank());
    stream.copy(mine, mem.inputBlock(comm.localRank()));
    for (int distance = 1; distance < ranks; distance++) {
      int peer = peer(comm, distance);
      Link link = comm.link(peer);
      link.await(stream, Link.READY);
      link.write(stream, link.remote(mine), mem.inputBlock(peer));
      link.post(stream, Link.FIN); // your output has been written
    }
    for (int distance = 1; distance < ranks; distance++) {
      comm.link(peer(comm, distance)).await(stream, Link.FIN);
    }
  }

  /** The rank some places behind this one, so that not all ranks write to one of them at once. */
  private static int peer(SubCommInfo comm, int distance) {
    return (comm.localRank() + distance) % comm.localRankSize();
  }

  /** Data is only moved, so nothing changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
