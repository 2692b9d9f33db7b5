package dev.tutti.sdk;

import java.util.Locale;

/**
 * How bytes cross a link. With the paired verbs, the protocol also decides which side moves them.
 */
public enum Protocol {
  /** Load and store: a rank reaches its peer's memory directly, and the paired verbs pull. */
  DIRECT,
  /** One-sided push: the paired verbs write into the peer's memory. */
  RDMA;

  /** The stable name: {@code "direct"} or {@code "rdma"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The protocol of a stable name; letter case does not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static Protocol fromLabel(String label) {
    Arguments.require(label, "label");
    for (Protocol protocol : values()) {
      if (protocol.label().equalsIgnoreCase(label)) {
        return protocol;
      }
    }
    throw Names.unknown("protocol", label, values(), Protocol::label);
  }
}
