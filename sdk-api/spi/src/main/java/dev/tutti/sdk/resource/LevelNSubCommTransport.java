package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import java.util.List;

/**
 * The sub-communicators of one level that contain this rank. Entry 0 is the plane of the topology;
 * further entries are sub-communicators that the algorithm defines.
 *
 * @param subComms the sub-communicators, in the same order on all their members
 */
public record LevelNSubCommTransport(List<SingleSubCommTransport> subComms) {

  /** Makes an immutable copy. */
  public LevelNSubCommTransport {
    Arguments.require(subComms, "subComms");
    subComms = List.copyOf(subComms);
  }
}
