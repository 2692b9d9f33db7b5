package dev.tutti.plugins.custom;

import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * Where peers load from.
 *
 * @param operands where a rank's input lies while its peers reduce it
 * @param parts where a rank's reduced part lies while its peers gather it, in two stages
 */
record PeerMemory(TransportMemType operands, TransportMemType parts) {

  /** In GRAPH mode the caller's own memory, which is registered; in OP_BASE mode AIV memory. */
  static PeerMemory of(AllReduceParam param) {
    return param.comm().mode() == WorkflowMode.GRAPH
        ? new PeerMemory(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)
        : new PeerMemory(TransportMemType.AIV_INPUT, TransportMemType.AIV_OUTPUT);
  }

  /** Whether inputs are copied there. */
  boolean isStaged() {
    return operands != TransportMemType.PARAM_INPUT;
  }

  /** What a rank needs for a call: links to all peers, and AIV memory if it is used. */
  AlgResourceRequest request(AllReduceParam param) {
    AlgResourceRequest links =
        AlgResourceRequest.of(
            OpCommTransport.mesh(param.comm(), CommPlane.LEVEL0, operands, parts));
    return isStaged() ? links.withAivBufferSize(param.inputBytes()) : links;
  }
}
