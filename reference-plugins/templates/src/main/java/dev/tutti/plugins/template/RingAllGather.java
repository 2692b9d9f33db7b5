package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Ring all-gather, in place on the output, whose slice r holds rank r's share: every rank ends with
 * all slices.
 *
 * <p>Slice k starts at rank k and travels to the right until it reaches rank k - 1. Cost for p
 * ranks and n bytes in all: {@code (p-1)α + (p-1)/p·nβ}.
 */
public final class RingAllGather implements AlgTemplate {

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
    Stream stream = param.stream();
    for (int step = 0; step < comm.localRankSize() - 1; step++) {
      DeviceMem sent = param.outputSlice(comm.localRank() - step);
      DeviceMem received = param.outputSlice(comm.localRank() - 1 - step);
      links.open(stream);
      links.right().txAsync(stream, sent.type(), sent.offset(), sent);
      links.left().rxAsync(stream, received.type(), received.offset(), received);
    }
    links.close(stream);
  }
}
