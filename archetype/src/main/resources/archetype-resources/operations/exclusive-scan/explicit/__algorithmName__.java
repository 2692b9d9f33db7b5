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
 * Linear exclusive scan: every rank combines the inputs of all ranks up to itself in scratch
 * memory. The next rank reads this combination as its result, and combines it with its own input.
 * The output of the first rank does not change.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes: {@code (p-1)(α + 2nβ + nγ)}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Each rank reads from the rank before it, through scratch memory: simple",
    formula = "(p-1)(α + 2nβ + nγ)")
public final class ${algorithmName} extends NativeExecutorBase<ExclusiveScanParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to the ranks before and after it.
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

  /** Scratch memory for the combination of the inputs up to this rank's. */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    return maxCountPerRound(param) * param.dataType().size();
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
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

  /** The order of operands does not depend on the count, so the bits do not either. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
