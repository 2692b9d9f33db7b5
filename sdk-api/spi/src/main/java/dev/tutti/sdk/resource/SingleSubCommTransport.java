package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.RandomAccess;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The links that one rank requests in one sub-communicator. Only requested links take memory.
 * Immutable.
 */
public final class SingleSubCommTransport {

  private final RankList members;
  private final int localUserRank;
  private final Protocol protocol;
  private final boolean supportDataReceivedAck;
  private final RequestList valid;

  /**
   * Links of one sub-communicator.
   *
   * @param members the ranks of the sub-communicator
   * @param localUserRank this rank, a member
   * @param protocol how bytes cross these links
   * @param supportDataReceivedAck whether the paired verbs acknowledge received data on RDMA links
   * @param requests the wanted links, each from {@code localUserRank} to another member, without
   *     duplicates
   */
  public SingleSubCommTransport(
      RankList members,
      int localUserRank,
      Protocol protocol,
      boolean supportDataReceivedAck,
      Iterable<TransportRequest> requests) {
    this(
        members,
        localUserRank,
        protocol,
        supportDataReceivedAck,
        valid(members, localUserRank, requests));
  }

  /** Links of one sub-communicator that all lead from {@code localUserRank} to other members. */
  SingleSubCommTransport(
      RankList members,
      int localUserRank,
      Protocol protocol,
      boolean supportDataReceivedAck,
      RequestList valid) {
    Arguments.require(protocol, "protocol");
    if (!members.contains(localUserRank)) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "rank %d is not a member of the sub-communicator %s",
          localUserRank,
          members);
    }
    this.members = members;
    this.localUserRank = localUserRank;
    this.protocol = protocol;
    this.supportDataReceivedAck = supportDataReceivedAck;
    this.valid = valid;
  }

  private static RequestList valid(
      RankList members, int localUserRank, Iterable<TransportRequest> requests) {
    Arguments.require(members, "members");
    Arguments.require(requests, "requests");
    RequestList.Builder valid = new RequestList.Builder(members, localUserRank);
    for (TransportRequest request : requests) {
      if (request.isValid() && valid.add(request) != null) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "rank %d asks twice for the link to rank %d",
            localUserRank,
            request.remoteUserRank());
      }
    }
    return valid.build();
  }

  /** The ranks of the sub-communicator. */
  public RankList members() {
    return members;
  }

  /** This rank. */
  public int localUserRank() {
    return localUserRank;
  }

  /** How bytes cross these links. */
  public Protocol protocol() {
    return protocol;
  }

  /** Whether the paired verbs acknowledge received data on RDMA links. */
  public boolean supportDataReceivedAck() {
    return supportDataReceivedAck;
  }

  /** One request per member, in order; requests for unwanted links are not valid. */
  public List<TransportRequest> transportRequests() {
    return new AllRequests();
  }

  /** The wanted links by sub-communicator rank of the peer, ascending; a new map for each call. */
  public NavigableMap<Integer, TransportRequest> validRequests() {
    NavigableMap<Integer, TransportRequest> byPeer = new TreeMap<>();
    for (int i = 0; i < valid.size(); i++) {
      byPeer.put(valid.subRank(i), valid.get(i));
    }
    return Collections.unmodifiableNavigableMap(byPeer);
  }

  /** The wanted links in ascending order of the peers' sub-communicator ranks. */
  public List<TransportRequest> validRequestList() {
    return valid;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SingleSubCommTransport that
        && members.equals(that.members)
        && localUserRank == that.localUserRank
        && protocol == that.protocol
        && supportDataReceivedAck == that.supportDataReceivedAck
        && valid.equals(that.valid);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * members.hashCode() + localUserRank) + valid.hashCode();
  }

  @Override
  public String toString() {
    return "rank "
        + localUserRank
        + " of "
        + members
        + " "
        + protocol.label()
        + " links "
        + valid.places();
  }

  private final class AllRequests extends AbstractList<TransportRequest> implements RandomAccess {
    @Override
    public TransportRequest get(int subRank) {
      TransportRequest request = valid.find(subRank);
      return request != null
          ? request
          : TransportRequest.none(localUserRank, members.rank(subRank));
    }

    @Override
    public int size() {
      return members.size();
    }
  }
}
