package ${package};

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Ring all-gather: in each step every rank passes the block that it got last to its right
 * neighbour, until all ranks have all blocks.
 *
 * <p>Right for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of output: {@code (p-1)α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Blocks travel around a ring: as few bytes as possible, for long messages",
    formula = "(p-1)α + (p-1)/p·nβ")
public final class ${algorithmName} extends NativeExecutorBase<AllGatherParam> {

  /**
   * The links of this rank. Both ends ask for a link in the same way: here every rank asks for its
   * two neighbours.
   */
  @Override
  protected OpCommTransport calcCommInfo(AllGatherParam param) {
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode; peers use no other.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.ring(param.comm(), CommPlane.COMBINED, output, output);
  }

  /**
   * What this rank does in one round. Nothing runs here: each call emits an action of the plan,
   * which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllGatherParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    stream.copy(mem.outputBlock(comm.localRank()), mem.input());
    if (ranks == 1) {
      return; // there is nobody to have a link to
    }
    Link left = comm.left();
    Link right = comm.right();
    for (int step = 0; step < ranks - 1; step++) {
      int sent = Math.floorMod(comm.localRank() - step, ranks);
      int received = Math.floorMod(comm.localRank() - step - 1, ranks);
      left.txAck(stream); // my output may be accessed
      right.rxAck(stream); // and so may that of my right neighbour
      // Direct links pull and RDMA links push; each end says its half, and the link does the rest.
      right.txAsync(stream, mem.outputBlock(sent));
      left.rxAsync(stream, mem.outputBlock(received));
    }
    // Without these two, the right neighbour might still read what the caller overwrites next.
    left.rxWaitDone(stream); // I have all of my left neighbour's data
    right.txWaitDone(stream); // and my right neighbour has all of mine
  }

  /** Data is only moved, so nothing changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
