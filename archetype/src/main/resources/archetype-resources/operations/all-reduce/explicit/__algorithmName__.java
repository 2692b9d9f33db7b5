package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Star all-reduce: rank 0 combines the inputs of all ranks in rank order and hands out the result.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes: {@code 2(p-1)(α + nβ) + (p-1)nγ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Rank 0 combines all inputs and hands out the result: simple, for few ranks",
    formula = "2(p-1)(α + nβ) + (p-1)nγ")
public final class ${algorithmName} extends NativeExecutorBase<AllReduceParam> {

  private static final int ROOT = 0;

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here the root
   * requests links to all other ranks, and each of them requests one to the root.
   */
  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    CommInfo comm = param.comm();
    // The caller's memory in GRAPH mode, the staging buffers in OP_BASE mode.
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
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    if (comm.localRank() == ROOT) {
      collect(param, mem, comm, stream);
      handOut(mem, comm, stream);
    } else {
      Link root = comm.link(ROOT);
      root.post(stream, Link.READY); // my input may be read, and my output written
      root.await(stream, Link.FIN); // both have been done
    }
  }

  private static void collect(AllReduceParam param, ExecMem mem, SubCommInfo comm, Stream stream) {
    if (!mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    for (int rank = 1; rank < comm.localRankSize(); rank++) {
      Link link = comm.link(rank);
      link.await(stream, Link.READY);
      link.readReduce(
          stream, mem.output(), link.remote(mem.input()), param.dataType(), param.reduceOp());
    }
  }

  /** FIN is never set when it is posted: the peer awaited the last FIN before it posted READY. */
  private static void handOut(ExecMem mem, SubCommInfo comm, Stream stream) {
    for (int rank = 1; rank < comm.localRankSize(); rank++) {
      Link link = comm.link(rank);
      link.write(stream, link.remote(mem.output()), mem.output());
      link.post(stream, Link.FIN);
    }
  }

  /** The operands are always combined in rank order, so the bits do not depend on the count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
