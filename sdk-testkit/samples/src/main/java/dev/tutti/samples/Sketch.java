package dev.tutti.samples;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** An executor made of functions, and the handshakes that most sketches need; for tests. */
public final class Sketch<P extends OpParam> extends CollExecutorBase<P> {

  private final Function<P, Support> supports;
  private final Function<P, AlgResourceRequest> request;
  private final BiConsumer<P, AlgResourceResponse> orchestrate;

  public Sketch(
      Function<P, AlgResourceRequest> request, BiConsumer<P, AlgResourceResponse> orchestrate) {
    this(param -> Support.yes(), request, orchestrate);
  }

  public Sketch(
      Function<P, Support> supports,
      Function<P, AlgResourceRequest> request,
      BiConsumer<P, AlgResourceResponse> orchestrate) {
    this.supports = supports;
    this.request = request;
    this.orchestrate = orchestrate;
  }

  @Override
  public Support supports(P param) {
    return supports.apply(param);
  }

  @Override
  public AlgResourceRequest calcResRequest(P param) {
    return request.apply(param);
  }

  @Override
  public void orchestrate(P param, AlgResourceResponse resources) {
    orchestrate.accept(param, resources);
  }

  /** Links to all ranks, registering input and output. */
  public static AlgResourceRequest mesh(OpParam param) {
    return mesh(param, TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT);
  }

  public static AlgResourceRequest mesh(
      OpParam param, TransportMemType input, TransportMemType output) {
    return AlgResourceRequest.of(
        OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output));
  }

  public static AlgResourceRequest pairs(OpParam param, int... peers) {
    return AlgResourceRequest.of(
        OpCommTransport.pairs(
            param.comm(),
            CommPlane.COMBINED,
            TransportMemType.PARAM_INPUT,
            TransportMemType.PARAM_OUTPUT,
            peers));
  }

  public static Link link(AlgResourceResponse res, int peer) {
    return res.subComm(CommPlane.COMBINED, 0).link(peer);
  }

  /** The links to all other ranks, in rank order. */
  public static List<Link> links(CommInfo comm, AlgResourceResponse res) {
    List<Link> links = new ArrayList<>();
    for (int rank = 0; rank < comm.rankSize(); rank++) {
      if (rank != comm.rank()) {
        links.add(link(res, rank));
      }
    }
    return links;
  }

  /** Posts a notify to all other ranks, and awaits it from all. */
  public static void exchange(CommInfo comm, AlgResourceResponse res, int notify) {
    links(comm, res).forEach(link -> link.post(res.mainStream(), notify));
    links(comm, res).forEach(link -> link.await(res.mainStream(), notify));
  }
}
