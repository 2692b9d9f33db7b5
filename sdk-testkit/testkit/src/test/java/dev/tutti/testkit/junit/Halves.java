package dev.tutti.testkit.junit;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** A transfer: the sender writes into the receiver's output when that is ready. */
final class Halves {

  private Halves() {}

  /** Writes. */
  @CollAlgorithm(name = "half", summary = "Sends")
  public static final class Sender extends NativeExecutorBase<SendParam> {
    @Override
    protected OpCommTransport calcCommInfo(SendParam param) {
      return links(param, param.dstRank());
    }

    @Override
    protected void kernelRun(SendParam param, ExecMem mem) {
      Stream stream = mem.resources().mainStream();
      Link link = mem.resources().subComm(CommPlane.COMBINED).link(param.dstRank());
      link.await(stream, Link.READY);
      link.write(
          stream, link.remote(Halves.outputOf(param)).slice(0, mem.input().size()), mem.input());
      link.post(stream, Link.FIN);
    }
  }

  /** Waits. */
  @CollAlgorithm(name = "half", summary = "Receives")
  public static final class Receiver extends NativeExecutorBase<ReceiveParam> {
    @Override
    protected OpCommTransport calcCommInfo(ReceiveParam param) {
      return links(param, param.srcRank());
    }

    @Override
    protected void kernelRun(ReceiveParam param, ExecMem mem) {
      Stream stream = mem.resources().mainStream();
      Link link = mem.resources().subComm(CommPlane.COMBINED).link(param.srcRank());
      link.post(stream, Link.READY);
      link.await(stream, Link.FIN);
    }
  }

  private static OpCommTransport links(OpParam param, int peer) {
    TransportMemType output = outputOf(param);
    return OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, peer);
  }

  private static TransportMemType outputOf(OpParam param) {
    return param.comm().mode() == WorkflowMode.OP_BASE
        ? TransportMemType.CCL_OUTPUT
        : TransportMemType.PARAM_OUTPUT;
  }
}
