package dev.tutti.author;

import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** Requests links that the peers do not request, or request in another way. */
public final class OneSidedExecutor extends NativeExecutorBase<AllReduceParam> {

  private final boolean peersAsk;

  /** An executor whose peers request no link, or a link with other memory. */
  public OneSidedExecutor(boolean peersAsk) {
    this.peersAsk = peersAsk;
  }

  @Override
  protected OpCommTransport calcCommInfo(AllReduceParam param) {
    OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
    if (param.comm().rank() == 0) {
      links.mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param)); // rank 0
    } else if (peersAsk) {
      links.pairs(CommPlane.COMBINED, TransportMemType.SCRATCH, outputMemType(param), 0); // peers
    }
    return links.build();
  }

  @Override
  protected void kernelRun(AllReduceParam param, ExecMem mem) {
    throw new IllegalStateException("its links are refused before");
  }
}
