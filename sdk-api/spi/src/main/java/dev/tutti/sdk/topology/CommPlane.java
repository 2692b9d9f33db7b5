package dev.tutti.sdk.topology;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.Names;
import java.util.Locale;

/**
 * A level of the topology and its sub-communicators. The set is open: a {@code switch} in plugin
 * code needs a {@code default}.
 *
 * <p>For the topology of two nodes with four and three ranks:
 *
 * <pre>
 *              LEVEL0: one plane a node      LEVEL1: one plane a local index
 *   node 0     0 1 2 3                       {0,4} {1,5} {2,6} {3}
 *   node 1     4 5 6                         COMBINED: {0,1,2,3,4,5,6}
 * </pre>
 */
public enum CommPlane {
  /** Ranks inside one node. */
  LEVEL0,
  /** Ranks of equal local index in the nodes of one pod. */
  LEVEL1,
  /** Ranks of equal node index and equal local index in all pods. */
  LEVEL2,
  /** All ranks of the group, flat, in rank order. */
  COMBINED;

  /** The stable name, for example {@code "level0"}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The plane of a stable name; letter case does not matter.
   *
   * @throws dev.tutti.sdk.TuttiException with code {@code UNKNOWN_NAME}, suggesting the nearest
   *     name
   */
  public static CommPlane fromLabel(String label) {
    Arguments.require(label, "label");
    for (CommPlane plane : values()) {
      if (plane.label().equalsIgnoreCase(label)) {
        return plane;
      }
    }
    throw Names.unknown("plane", label, values(), CommPlane::label);
  }
}
