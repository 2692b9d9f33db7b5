package dev.tutti.plan;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** Everything about a link but its two ends; the links of a group have few kinds. */
record LinkKind(
    CommPlane plane,
    int subComm,
    Protocol protocol,
    boolean acknowledges,
    int notifyCount,
    TransportMemType inputMemType,
    TransportMemType outputMemType) {

  boolean registers(TransportMemType type) {
    return type == inputMemType || type == outputMemType;
  }

  /** Whether the memory it registers can be loaded and stored directly. */
  boolean isDirect() {
    return protocol == Protocol.DIRECT;
  }

  /** Where the link belongs, in words. */
  String key() {
    return plane.label() + " sub-communicator " + subComm;
  }

  /** How the link was asked for, in words. */
  String manner() {
    return "%s, %d notifies, memory %s and %s%s"
        .formatted(
            protocol.label(),
            notifyCount,
            inputMemType.label(),
            outputMemType.label(),
            acknowledges ? "" : ", without acknowledgement");
  }
}
