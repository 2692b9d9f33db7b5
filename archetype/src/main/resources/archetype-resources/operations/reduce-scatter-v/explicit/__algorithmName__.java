package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Mesh reduce-scatter of blocks of different sizes, including empty ones: every rank reads its
 * block from all others, one after another, and combines it with its own.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and a largest block of m bytes: {@code (p-1)(α + m(β + γ))}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank reads its block from all others in turn: simple, for few ranks",
    formula = "(p-1)(α + m(β + γ)), m the largest block")
public final class ${algorithmName} extends NativeExecutorBase<ReduceScatterVParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to all others.
   */
  @Override
  protected OpCommTransport calcCommInfo(ReduceScatterVParam param) {
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType input = inputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, input);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ReduceScatterVParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    // Post to all peers before the first await: otherwise all ranks would wait for one another.
    for (int distance = 1; distance < ranks; distance++) {
      comm.link(peer(comm, distance)).post(stream, Link.READY); // my input may be read
    }
    DeviceMem block = mem.inputBlock(comm.localRank());
    stream.copy(mem.output(), block);
    for (int distance = 1; distance < ranks; distance++) {
      Link link = comm.link(peer(comm, distance));
      link.await(stream, Link.READY);
      link.readReduce(stream, mem.output(), link.remote(block), param.dataType(), param.reduceOp());
      link.post(stream, Link.FIN); // your input has been read
    }
    // Without this wait, the caller might overwrite its input while a peer still reads it.
    for (int distance = 1; distance < ranks; distance++) {
      comm.link(peer(comm, distance)).await(stream, Link.FIN);
    }
  }

  /** The peer at a distance. Each rank starts at another peer, so not all read from one at once. */
  private static int peer(SubCommInfo comm, int distance) {
    return (comm.localRank() + distance) % comm.localRankSize();
  }

  /** The order of operands does not depend on the count, so the bits do not either. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
