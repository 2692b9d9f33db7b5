package dev.tutti.sdk;

import java.util.Locale;

/** How an operation reaches the caller's memory. */
public enum WorkflowMode {
  /**
   * The caller's memory is private, and data goes through the group's CCL buffers, slice by slice.
   */
  OP_BASE,
  /** The caller's memory is registered, and peers access it directly. */
  GRAPH;

  /** The stable name: {@code "op-base"} or {@code "graph"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The mode of a stable name; letter case, hyphens and underscores do not matter.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public static WorkflowMode fromLabel(String label) {
    Arguments.require(label, "label");
    for (WorkflowMode mode : values()) {
      if (mode.label().replace("-", "").equalsIgnoreCase(label.replaceAll("[-_]", ""))) {
        return mode;
      }
    }
    throw Names.unknown("workflow mode", label, values(), WorkflowMode::label);
  }
}
