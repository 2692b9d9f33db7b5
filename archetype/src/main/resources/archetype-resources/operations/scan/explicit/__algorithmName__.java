package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.stream.IntStream;

/**
 * Linear scan: every rank reads the result of the one before it and combines it with its own input.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes: {@code (p-1)(α + nβ + nγ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Each rank reads the result of the rank before it: every byte moves once",
    formula = "(p-1)(α + nβ + nγ)")
public final class ${algorithmName} extends NativeExecutorBase<ScanParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to the ranks before and after it.
   */
  @Override
  protected OpCommTransport calcCommInfo(ScanParam param) {
    CommInfo comm = param.comm();
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType output = outputMemType(param);
    int[] neighbours =
        IntStream.of(comm.rank() - 1, comm.rank() + 1)
            .filter(rank -> 0 <= rank && rank < comm.rankSize())
            .toArray();
    return OpCommTransport.pairs(comm, CommPlane.COMBINED, output, output, neighbours);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ScanParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int rank = comm.localRank();
    if (!mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    if (rank > 0) {
      Link before = comm.link(rank - 1);
      before.await(stream, Link.READY);
      before.readReduce(
          stream, mem.output(), before.remote(mem.output()), param.dataType(), param.reduceOp());
      before.post(stream, Link.FIN); // your result has been read
    }
    if (rank < comm.localRankSize() - 1) {
      Link after = comm.link(rank + 1);
      after.post(stream, Link.READY); // my result may be read
      after.await(stream, Link.FIN); // and has been
    }
  }

  /** The order of operands does not depend on the count, so the bits do not either. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
