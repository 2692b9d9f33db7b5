package dev.tutti.plugins.custom;

import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * Where peers load from.
 *
 * @param operands where a rank's input lies while its peers reduce it
 * @param parts where a rank's reduced part lies while its peers gather it, in two stages
 */
record PeerMemory(TransportMemType operands, TransportMemType parts) {

  /**
   * In GRAPH mode the caller's own memory, which is registered. In OP_BASE mode staging memory:
   * both AIV memories in two stages; one stage needs only one, and AIV memory comes in pairs.
   */
  static PeerMemory of(AllReduceParam param) {
    if (param.comm().mode() == WorkflowMode.GRAPH) {
      return new PeerMemory(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT);
    }
    return StageChoice.isOneStage(param)
        ? new PeerMemory(TransportMemType.SCRATCH, TransportMemType.SCRATCH)
        : new PeerMemory(TransportMemType.AIV_INPUT, TransportMemType.AIV_OUTPUT);
  }

  /** Whether inputs are copied there. */
  boolean isStaged() {
    return operands != TransportMemType.PARAM_INPUT;
  }
}
