package dev.tutti.plugins.custom;

import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/**
 * The memory that peers load from.
 *
 * @param operands the memory of a rank's input while its peers reduce it
 * @param parts the memory of a rank's reduced part while its peers gather it, in two stages
 */
record PeerMemory(TransportMemType operands, TransportMemType parts) {

  /** In GRAPH mode the caller's own memory, which is registered; in OP_BASE mode AIV memory. */
  static PeerMemory of(AllReduceParam param) {
    return param.comm().mode() == WorkflowMode.GRAPH
        ? new PeerMemory(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)
        : new PeerMemory(TransportMemType.AIV_INPUT, TransportMemType.AIV_OUTPUT);
  }

  /** Whether inputs are copied into that memory. */
  boolean isStaged() {
    return operands != TransportMemType.PARAM_INPUT;
  }

  /** The resources for a call: links to all peers, and AIV memory if it is used. */
  AlgResourceRequest request(AllReduceParam param) {
    AlgResourceRequest links =
        AlgResourceRequest.of(
            OpCommTransport.mesh(param.comm(), CommPlane.LEVEL0, operands, parts));
    return isStaged() ? links.withAivBufferSize(param.inputBytes()) : links;
  }
}
