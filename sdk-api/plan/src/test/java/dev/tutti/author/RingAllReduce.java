package dev.tutti.author;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/** A ring all-reduce as a plugin author would write it, outside the packages of the SDK. */
public final class RingAllReduce extends CollExecutorBase<AllReduceParam> {

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    return AlgResourceRequest.of(
        OpCommTransport.ring(
            param.comm(),
            CommPlane.COMBINED,
            TransportMemType.PARAM_OUTPUT,
            TransportMemType.PARAM_OUTPUT));
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    Stream stream = resources.mainStream();
    DeviceMem output = resources.paramOutputMem();
    if (!param.inPlace()) {
      stream.copy(output, resources.paramInputMem());
    }
    SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
    int size = comm.localRankSize();
    int rank = comm.localRank();
    if (size == 1) {
      return;
    }
    Link next = comm.link((rank + 1) % size);
    Link previous = comm.link((rank + size - 1) % size);
    List<Slice> slices = Slice.partition(param.count(), size, param.dataType().size());
    for (int step = 0; step < 2 * (size - 1); step++) {
      DeviceMem sent = output.slice(slices.get(Math.floorMod(rank - step, size)));
      DeviceMem received = output.slice(slices.get(Math.floorMod(rank - step - 1, size)));
      previous.txAck(stream);
      next.rxAck(stream);
      if (step < size - 1) {
        next.txWithReduce(
            stream, sent.type(), sent.offset(), sent, param.dataType(), param.reduceOp());
        previous.rxWithReduce(
            stream,
            received.type(),
            received.offset(),
            received,
            param.dataType(),
            param.reduceOp());
      } else {
        next.txAsync(stream, sent.type(), sent.offset(), sent);
        previous.rxAsync(stream, received.type(), received.offset(), received);
      }
      previous.rxWaitDone(stream);
      next.txWaitDone(stream);
    }
  }
}
