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
 * Mesh all-to-all: every rank writes its blocks to their receivers, one after another.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and blocks of m bytes: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank writes its blocks to all others in turn: simple, for long blocks",
    formula = "(p-1)(α + mβ) for blocks of m bytes")
public final class ${algorithmName} extends NativeExecutorBase<AllToAllParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to all others.
   */
  @Override
  protected OpCommTransport calcCommInfo(AllToAllParam param) {
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, output, output);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllToAllParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    // Post to all peers before the first await: otherwise all ranks would wait for one another.
    for (int distance = 1; distance < ranks; distance++) {
      comm.link(peer(comm, distance)).post(stream, Link.READY); // my output may be written
    }
    // All blocks have the same size, so a rank's block has the same offset in every output.
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

  /** The peer at a distance. Each rank starts at another peer, so not all write to one at once. */
  private static int peer(SubCommInfo comm, int distance) {
    return (comm.localRank() + distance) % comm.localRankSize();
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
