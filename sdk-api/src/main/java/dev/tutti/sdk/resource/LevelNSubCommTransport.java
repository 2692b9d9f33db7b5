package dev.tutti.sdk.resource;

import java.util.List;

/**
 * The sub-communicators of one level that contain this rank. Entry 0 is the plane of the topology;
 * further entries are sub-communicators that the algorithm made up.
 *
 * @param subComms the sub-communicators, in the same order on all their members
 */
public record LevelNSubCommTransport(List<SingleSubCommTransport> subComms) {

  /** Takes an immutable copy. */
  public LevelNSubCommTransport {
    subComms = List.copyOf(subComms);
  }
}
