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
 * Ring all-gather: in each step, every rank sends the block that it received last to its right
 * neighbour, until all ranks have all blocks.
 *
 * <p>Correct for every number of ranks, in both workflow modes and over both protocols. Cost for p
 * ranks and n bytes of output: {@code (p-1)α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "${algorithmId}",
    summary = "Passes blocks around a ring: the fewest bytes, for long messages",
    formula = "(p-1)α + (p-1)/p·nβ")
public final class ${algorithmName} extends NativeExecutorBase<AllGatherParam> {

  /**
   * Requests the links of this rank. Both ends must request a link in the same way. Here every rank
   * requests links to its two neighbours.
   */
  @Override
  protected OpCommTransport calcCommInfo(AllGatherParam param) {
    // The caller's output in GRAPH mode, the staging buffer in OP_BASE mode: all that peers access.
    TransportMemType output = outputMemType(param);
    return OpCommTransport.ring(param.comm(), CommPlane.COMBINED, output, output);
  }

  /**
   * Emits the actions of this rank in one round. Nothing runs here: the actions become part of the
   * plan, which the host checks once and then replays on data.
   */
  @Override
  protected void kernelRun(AllGatherParam param, ExecMem mem) {
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    Stream stream = mem.resources().mainStream();
    int ranks = comm.localRankSize();
    stream.copy(mem.outputBlock(comm.localRank()), mem.input());
    if (ranks == 1) {
      return; // a single rank has no links
    }
    Link left = comm.left();
    Link right = comm.right();
    for (int step = 0; step < ranks - 1; step++) {
      int sent = Math.floorMod(comm.localRank() - step, ranks);
      int received = Math.floorMod(comm.localRank() - step - 1, ranks);
      left.txAck(stream); // my left neighbour may access my output
      right.rxAck(stream); // and I may access my right neighbour's
      // Each end describes its side. Direct links then pull the data, and RDMA links push it.
      right.txAsync(stream, mem.outputBlock(sent));
      left.rxAsync(stream, mem.outputBlock(received));
    }
    // Without these two, the caller might overwrite its output while a peer still reads it.
    left.rxWaitDone(stream); // I have all of my left neighbour's data
    right.txWaitDone(stream); // and my right neighbour has all of mine
  }

  /** The algorithm only moves data, so it never changes the bits. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
