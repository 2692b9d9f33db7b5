package dev.tutti.cli.verify;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/** The ring of the tutorial as it is when the testkit finds its bug. */
@CollAlgorithm(
    name = "my-ring",
    summary = "Around a ring twice: the fewest bytes, for long vectors")
final class TutorialRing extends NativeExecutorBase<AllReduceParam> {

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    TransportMemType output = outputMemType(param);
    return OpCommTransport.ring(param.comm(), CommPlane.COMBINED, output, output);
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    int rank = comm.localRank();
    int ranks = comm.localRankSize();
    if (!mem.inPlace()) {
      stream.copy(mem.output(), mem.input());
    }
    if (ranks == 1) {
      return; // a single rank has no links
    }
    Link left = comm.left();
    Link right = comm.right();
    List<Slice> slices = Slice.partition(mem.count(), ranks, param.dataType().size());
    for (int step = 0; step < 2 * (ranks - 1); step++) {
      DeviceMem sent = mem.output().slice(slices.get(Math.floorMod(rank - step, ranks)));
      DeviceMem received = mem.output().slice(slices.get(Math.floorMod(rank - step - 1, ranks)));
      left.txAck(stream); // my left neighbour may access my output
      right.rxAck(stream); // and I may access my right neighbour's
      if (step < ranks - 1) {
        right.txWithReduce(stream, sent, param.dataType(), param.reduceOp());
        left.rxWithReduce(stream, received, param.dataType(), param.reduceOp());
      } else {
        right.txAsync(stream, sent);
        left.rxAsync(stream, received);
      }
    }
  }
}
