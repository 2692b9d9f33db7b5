package dev.tutti.sdk.resource;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The links that one rank requests in a sub-communicator, in ascending order of the peers'
 * positions, without duplicates. Immutable. Most requests differ only in their peer; these take 4
 * bytes each.
 */
final class RequestList extends AbstractList<TransportRequest> implements RandomAccess {

  private final RankList members;

  /** The position of each peer among the members, ascending. */
  private final int[] subRanks;

  /** One for each peer, or a single one if all requests are equal except for the peer. */
  private final TransportRequest[] requests;

  private RequestList(RankList members, int[] subRanks, TransportRequest[] requests) {
    this.members = members;
    this.subRanks = subRanks;
    this.requests = requests;
  }

  @Override
  public int size() {
    return subRanks.length;
  }

  @Override
  public TransportRequest get(int index) {
    return requests[requests.length == 1 ? 0 : index].to(members.rank(subRanks[index]));
  }

  /** The position of a peer among the members. */
  int subRank(int index) {
    return subRanks[index];
  }

  /** The request for the link to the member at a position, or null if there is none. */
  @Nullable TransportRequest find(int subRank) {
    int index = Arrays.binarySearch(subRanks, subRank);
    return index < 0 ? null : get(index);
  }

  /** The positions of the peers, as text. */
  String places() {
    return Arrays.toString(subRanks);
  }

  /** Collects requests in any order. */
  static final class Builder {
    private final RankList members;
    private final int localUserRank;
    private int size;
    private int[] subRanks = new int[4];
    private TransportRequest[] requests = new TransportRequest[4];
    private boolean areAlike = true;

    Builder(RankList members, int localUserRank) {
      this.members = members;
      this.localUserRank = localUserRank;
    }

    boolean isEmpty() {
      return size == 0;
    }

    /**
     * Adds a request.
     *
     * @return the existing request for the same link, or null if it is new
     * @throws TuttiException with {@link ErrorCode#INVALID_RANK} if the request is of another rank,
     *     or the peer is not a member
     */
    @Nullable TransportRequest add(TransportRequest request) {
      int subRank = members.indexOf(request.remoteUserRank());
      if (subRank < 0 || request.localUserRank() != localUserRank) {
        throw new TuttiException(
            ErrorCode.INVALID_RANK,
            "a link of rank %d in the sub-communicator %s cannot lead from %d to %d",
            localUserRank,
            members,
            request.localUserRank(),
            request.remoteUserRank());
      }
      boolean isLast = size == 0 || subRanks[size - 1] < subRank;
      int found = isLast ? -1 - size : Arrays.binarySearch(subRanks, 0, size, subRank);
      if (found >= 0) {
        return requests[found];
      }
      insert(-1 - found, subRank, request);
      return null;
    }

    private void insert(int index, int subRank, TransportRequest request) {
      areAlike &= size == 0 || request.isLike(requests[0]);
      if (size == subRanks.length) {
        subRanks = Arrays.copyOf(subRanks, 2 * size);
        requests = Arrays.copyOf(requests, 2 * size);
      }
      System.arraycopy(subRanks, index, subRanks, index + 1, size - index);
      System.arraycopy(requests, index, requests, index + 1, size - index);
      subRanks[index] = subRank;
      requests[index] = request;
      size++;
    }

    RequestList build() {
      int kept = areAlike ? Math.min(1, size) : size;
      return new RequestList(members, Arrays.copyOf(subRanks, size), Arrays.copyOf(requests, kept));
    }
  }
}
