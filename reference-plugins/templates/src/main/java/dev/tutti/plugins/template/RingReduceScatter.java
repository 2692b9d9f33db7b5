package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Ring reduce-scatter, in place on the output, which holds this rank's operand: rank r ends with
 * the reduction of slice r; its other slices hold partial results.
 *
 * <p>Slice k starts at rank k + 1 and travels to the right, collecting every rank's operand, until
 * it reaches rank k. Cost for p ranks and n bytes: {@code (p-1)α + (p-1)/p·n(β + γ)}.
 */
public final class RingReduceScatter implements AlgTemplate {

  @Override
  public void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {
    links.ring(plane, inputMemType, outputMemType);
  }

  @Override
  public void run(SubCommInfo comm, TemplateParam param) {
    if (comm.localRankSize() == 1) {
      return;
    }
    RingLinks links = RingLinks.of(comm);
    for (int step = 0; step < comm.localRankSize() - 1; step++) {
      DeviceMem sent = param.outputSlice(comm.localRank() - 1 - step);
      DeviceMem received = param.outputSlice(comm.localRank() - 2 - step);
      links.open(param.stream());
      links.right().txWithReduce(param.stream(), sent, param.dataType(), param.reduceOp());
      links.left().rxWithReduce(param.stream(), received, param.dataType(), param.reduceOp());
    }
    links.close(param.stream());
  }
}
