package dev.tutti.plan;

import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;

/** The properties of a link, except for its two ends. The links of a group have few kinds. */
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

  /** Whether a rank can load and store the registered memory directly. */
  boolean isDirect() {
    return protocol == Protocol.DIRECT;
  }

  /** Where the link belongs, in words. */
  String key() {
    return plane.label() + " sub-communicator " + subComm;
  }

  /** The requested properties, in words. */
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
