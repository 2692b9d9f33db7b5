package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.stream.IntStream;

/**
 * Linear exclusive scan: every rank has the combination of all ranks up to itself in scratch
 * memory, which the next rank reads: as its result, and to combine it with its own input. The
 * output of the first rank stays as it is.
 *
 * <p>Right for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes: {@code (p-1)(α + 2nβ + nγ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "From each rank to the next, through scratch memory: simple",
    formula = "(p-1)(α + 2nβ + nγ)")
public final class ${algorithmName} extends NativeExecutorBase<ExclusiveScanParam> {

  /**
   * The links of this rank. Both ends ask for a link in the same way: here every rank asks for
   * those before and after it.
   */
  @Override
  protected OpCommTransport calcCommInfo(ExclusiveScanParam param) {
    CommInfo comm = param.comm();
    TransportMemType scratch = TransportMemType.SCRATCH;
    int[] neighbours =
        IntStream.of(comm.rank() - 1, comm.rank() + 1)
            .filter(rank -> 0 <= rank && rank < comm.rankSize())
            .toArray();
    return OpCommTransport.pairs(comm, CommPlane.COMBINED, scratch, scratch, neighbours);
  }

  /** The combination of all ranks up to this one. */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    return maxCountPerRound(param) * param.dataType().size();
  }

  /**
   * What this rank does in one round. Nothing runs here: each call emits an action of the plan,
   * which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(ExclusiveScanParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int rank = comm.localRank();
    DeviceMem sum = mem.scratch().slice(0, mem.input().size());
    stream.copy(sum, mem.input());
    if (rank > 0) {
      Link before = comm.link(rank - 1);
      DeviceMem others = before.remote(TransportMemType.SCRATCH).slice(0, sum.size());
      before.await(stream, Link.READY);
      before.read(stream, mem.output(), others);
      stream.reduce(sum, mem.output(), param.dataType(), param.reduceOp());
      before.post(stream, Link.FIN); // your sum has been read
    }
    if (rank < comm.localRankSize() - 1) {
      Link after = comm.link(rank + 1);
      after.post(stream, Link.READY); // my sum may be read
      after.await(stream, Link.FIN); // and has been
    }
  }

  /** Operands are combined in one order, whatever the count is, so it does not change the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
