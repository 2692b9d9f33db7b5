package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Mesh reduce-scatter: every rank reads its block from the inputs of all other ranks, one after
 * another, and combines the blocks.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of input: {@code (p-1)α + (p-1)/p·n(β + γ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank reads its block from all others in turn: simple, for few ranks",
    formula = "(p-1)α + (p-1)/p·n(β + γ)")
public final class ${algorithmName} extends NativeExecutorBase<ReduceScatterParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to all others.
   */
  @Override
  protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType input = inputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, input);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    // Post to all peers before the first await: otherwise all ranks would wait for one another.
    for (int distance = 1; distance < ranks; distance++) {
      peer(comm, distance).post(stream, Link.READY); // my input may be read
    }
    DeviceMem block = mem.inputBlock(comm.localRank());
    stream.copy(mem.output(), block);
    for (int distance = 1; distance < ranks; distance++) {
      Link link = peer(comm, distance);
      link.await(stream, Link.READY);
      link.readReduce(stream, mem.output(), link.remote(block), param.dataType(), param.reduceOp());
      link.post(stream, Link.FIN); // your input has been read
    }
    // Without this wait, the caller might overwrite its input while a peer still reads it.
    for (int distance = 1; distance < ranks; distance++) {
      peer(comm, distance).await(stream, Link.FIN);
    }
  }

  /** The peer at a distance. Each rank starts at another peer, so not all read from one at once. */
  private static Link peer(SubCommInfo comm, int distance) {
    return comm.link((comm.localRank() + distance) % comm.localRankSize());
  }

  /** The order of operands does not depend on the count, so the bits do not either. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
