package dev.tutti.sdk.template;

import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * A reusable algorithm over one sub-communicator, such as a ring reduce-scatter. Executors combine
 * templates over the planes of a topology.
 *
 * <p>Implementations are stateless: they use only their arguments.
 */
public interface AlgTemplate {

  /**
   * Requests the links that {@link #run} uses.
   *
   * @param links the builder that receives the requests
   * @param plane the plane that the template will run over
   * @param inputMemType the kind of memory of {@link TemplateParam#input()}
   * @param outputMemType the kind of memory of {@link TemplateParam#output()}
   */
  void requestLinks(
      OpCommTransport.Builder links,
      CommPlane plane,
      TransportMemType inputMemType,
      TransportMemType outputMemType);

  /**
   * The slave streams that {@link #run} uses.
   *
   * @param rankSize the number of ranks of the sub-communicator
   * @return 0 by default
   */
  default int streamNum(int rankSize) {
    return 0;
  }

  /**
   * Emits this rank's actions. Every member of the sub-communicator runs the template with matching
   * arguments. When the last action it emitted on {@link TemplateParam#stream()} is done, this
   * rank's part of the result is complete and no member accesses this rank's memory any more.
   *
   * @param comm the sub-communicator
   * @param param memory, slices, streams and reduction
   */
  void run(SubCommInfo comm, TemplateParam param);
}
