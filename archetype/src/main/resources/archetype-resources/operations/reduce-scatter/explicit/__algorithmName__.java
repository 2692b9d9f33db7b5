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
 * Mesh reduce-scatter: every rank reads its block of the inputs of all other ranks, one after
 * another, and combines what it reads.
 *
 * <p>Right for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of input: {@code (p-1)α + (p-1)/p·n(β + γ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Every rank reads its block from all others in turn: simple, for few ranks",
    formula = "(p-1)α + (p-1)/p·n(β + γ)")
public final class ${algorithmName} extends NativeExecutorBase<ReduceScatterParam> {

  /**
   * The links of this rank. Both ends ask for a link in the same way: here every rank asks for all
   * others.
   */
  @Override
  protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
    // The caller's input in GRAPH mode, the staging buffer in OP_BASE mode; peers use no other.
    TransportMemType input = inputMemType(param);
    return OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, input);
  }

  /**
   * What this rank does in one round. Nothing runs here: each call emits an action of the plan,
   * which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    // All post before any awaits: ranks that first wait for one another wait forever.
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
    // Without this, a peer might still read what the caller overwrites next.
    for (int distance = 1; distance < ranks; distance++) {
      peer(comm, distance).await(stream, Link.FIN);
    }
  }

  /** The rank some places behind this one, so that not all ranks read from one of them at once. */
  private static Link peer(SubCommInfo comm, int distance) {
    return comm.link((comm.localRank() + distance) % comm.localRankSize());
  }

  /** Operands are combined in one order, whatever the count is, so it does not change the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
