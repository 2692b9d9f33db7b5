package dev.tutti.host.call;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How bytes cross links: one protocol for all planes, and others for some planes. For example,
 * ranks of a node can reach each other's memory while nodes are connected by a network.
 *
 * @param others the protocol of planes that are not in {@code planes}
 * @param planes the protocols of the other planes
 */
public record Protocols(Protocol others, Map<CommPlane, Protocol> planes) {

  /** Direct in all planes. */
  public static final Protocols DIRECT = of(Protocol.DIRECT);

  /** Takes an immutable copy, without planes that have the protocol of the others. */
  public Protocols {
    Arguments.require(others, "others");
    Arguments.require(planes, "planes");
    Map<CommPlane, Protocol> different = new EnumMap<>(CommPlane.class);
    for (Map.Entry<CommPlane, Protocol> plane : planes.entrySet()) {
      if (plane.getValue() != others) {
        different.put(plane.getKey(), plane.getValue());
      }
    }
    planes = Collections.unmodifiableMap(different);
  }

  /** One protocol in all planes. */
  public static Protocols of(Protocol protocol) {
    return new Protocols(protocol, Map.of());
  }

  /** The protocols of a group. */
  public static Protocols of(CommInfo comm) {
    Arguments.require(comm, "comm");
    return new Protocols(comm.protocol(), comm.planeProtocols());
  }

  /**
   * Reads a text: a protocol, planes with their protocols, or both, such as {@code "rdma"}, {@code
   * "level0=direct,level1=rdma"} or {@code "rdma,level0=direct"}. Other planes use the protocol
   * that is given without a plane, or DIRECT if there is none.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} for a name that is not known, {@link
   *     ErrorCode#INVALID_ARGUMENT} if something is given twice
   */
  public static Protocols parse(String text) {
    Arguments.require(text, "text");
    Map<CommPlane, Protocol> planes = new EnumMap<>(CommPlane.class);
    Protocol others = null;
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      Protocol protocol = Protocol.fromLabel(part.substring(equals + 1).strip());
      boolean isNew = equals < 0 && others == null;
      if (equals < 0) {
        others = protocol;
      } else {
        CommPlane plane = CommPlane.fromLabel(part.substring(0, equals).strip());
        isNew = planes.put(plane, protocol) == null;
      }
      if (!isNew) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "'%s' gives two protocols for the same planes; give one for each, such as"
                + " level0=direct,level1=rdma",
            text);
      }
    }
    return new Protocols(others == null ? Protocol.DIRECT : others, planes);
  }

  /** The same with another protocol in one plane. */
  public Protocols with(CommPlane plane, Protocol protocol) {
    Arguments.require(plane, "plane");
    Arguments.require(protocol, "protocol");
    Map<CommPlane, Protocol> changed = new EnumMap<>(CommPlane.class);
    changed.putAll(planes);
    changed.put(plane, protocol);
    return new Protocols(others, changed);
  }

  /** A group with these protocols. */
  public CommInfo in(CommInfo comm) {
    Arguments.require(comm, "comm");
    return new CommInfo(
        comm.rank(),
        comm.topology(),
        comm.mode(),
        others,
        comm.determinism(),
        comm.cclBufferSize(),
        planes);
  }

  /** The text that {@link #parse} reads. */
  public String label() {
    return planes.isEmpty()
        ? others.label()
        : others.label()
            + planes.entrySet().stream()
                .map(each -> "," + each.getKey().label() + "=" + each.getValue().label())
                .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return label();
  }
}
