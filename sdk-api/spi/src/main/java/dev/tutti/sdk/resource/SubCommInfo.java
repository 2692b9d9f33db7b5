package dev.tutti.sdk.resource;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;

/**
 * A sub-communicator: the ranks of one plane that contains this rank, and the requested links to
 * them. Implemented by the host; methods may be added.
 */
public interface SubCommInfo {

  /** The level of the plane. */
  CommPlane plane();

  /** The members; position i is sub-communicator rank i. */
  RankList members();

  /** This rank's position among the members. */
  int localRank();

  /** The number of members. */
  default int localRankSize() {
    return members().size();
  }

  /** The group rank of a member. */
  default int userRank(int subRank) {
    return members().rank(subRank);
  }

  /**
   * The link to a member.
   *
   * @param subRank the position of the peer among the members
   * @throws dev.tutti.sdk.TuttiException with code RESOURCE_MISMATCH if that link was not
   *     requested, INVALID_RANK if there is no such member
   */
  Link link(int subRank);

  /** The link to the next member around the ring of all members. */
  default Link right() {
    return link((localRank() + 1) % localRankSize());
  }

  /** The link to the previous member around the ring of all members. */
  default Link left() {
    return link((localRank() + localRankSize() - 1) % localRankSize());
  }

  /** Whether the link to a member was requested. */
  boolean hasLink(int subRank);
}
