package dev.tutti.plugins.template;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.template.AlgTemplate;
import dev.tutti.sdk.template.TemplateParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * Ring reduce-scatter: slice r of rank r's output is the reduction of slice r of all inputs. Slice
 * r - 1 of the output does not change, and its other slices hold partial results. Input and output
 * may be the same memory.
 *
 * <p>Slice k starts at rank k + 1 and travels to the right, collecting every rank's operand, until
 * it reaches rank k. Cost for p ranks and n bytes: {@code (p-1)α + (p-1)/p·n(β + γ)}, and over RDMA
 * links to a separate output a local copy of as many bytes.
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
      int sent = comm.localRank() - 1 - step;
      int received = comm.localRank() - 2 - step;
      if (isPushed(links.left())) {
        placeOperand(param, received);
      }
      links.open(param.stream());
      send(links.right(), param, sent, step == 0);
      links.left().await(param.stream(), Link.FIN);
      if (!isPushed(links.left())) {
        pull(links.left(), param, received, step == 0);
      }
    }
    links.close(param.stream());
  }

  /** Copies the operand to the output, where the left neighbour adds its partial result. */
  private static void placeOperand(TemplateParam param, int slice) {
    if (!param.input().equals(param.output())) {
      param.stream().copy(param.outputSlice(slice), param.inputSlice(slice));
    }
  }

  private static void send(Link right, TemplateParam param, int slice, boolean isFirst) {
    DeviceMem place = param.outputSlice(slice);
    right.txWithReduce(
        param.stream(),
        place.type(),
        place.offset(),
        isFirst ? param.inputSlice(slice) : place,
        param.dataType(),
        param.reduceOp());
  }

  private static void pull(Link left, TemplateParam param, int slice, boolean isFirst) {
    DeviceMem operand = param.inputSlice(slice);
    DeviceMem sum = param.outputSlice(slice);
    DeviceMem partial = left.remote(isFirst ? operand : sum);
    param.stream().reduceFrom(sum, List.of(operand, partial), param.dataType(), param.reduceOp());
  }

  private static boolean isPushed(Link link) {
    return link.protocol() == Protocol.RDMA;
  }
}
