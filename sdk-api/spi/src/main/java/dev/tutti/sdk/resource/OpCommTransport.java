package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.trace.LinkTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links that one rank requests, by level. Only requested links are established. Immutable.
 *
 * @param levels the sub-communicators of each level that is used
 */
public record OpCommTransport(Map<CommPlane, LevelNSubCommTransport> levels) {

  private static final OpCommTransport NONE = new OpCommTransport(Map.of());

  /** Makes an immutable copy. */
  public OpCommTransport {
    Arguments.require(levels, "levels");
    levels = levels.size() == 1 ? Map.copyOf(levels) : ordered(levels);
  }

  private static Map<CommPlane, LevelNSubCommTransport> ordered(
      Map<CommPlane, LevelNSubCommTransport> levels) {
    Map<CommPlane, LevelNSubCommTransport> copy = new EnumMap<>(CommPlane.class);
    copy.putAll(levels);
    return Collections.unmodifiableMap(copy);
  }

  /** No links. */
  public static OpCommTransport none() {
    return NONE;
  }

  /**
   * Starts a set of links for one rank of a group. Links use the group's protocol for their plane.
   */
  public static Builder builder(CommInfo comm) {
    Arguments.require(comm, "comm");
    return new Builder(comm);
  }

  /** Links to the previous and the next member of a plane, around its ends. */
  public static OpCommTransport ring(
      CommInfo comm, CommPlane plane, TransportMemType input, TransportMemType output) {
    Arguments.require(comm, "comm");
    Arguments.require(plane, "plane");
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    return builder(comm).ring(plane, input, output).build();
  }

  /** Links to all other members of a plane. */
  public static OpCommTransport mesh(
      CommInfo comm, CommPlane plane, TransportMemType input, TransportMemType output) {
    Arguments.require(comm, "comm");
    Arguments.require(plane, "plane");
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    return builder(comm).mesh(plane, input, output).build();
  }

  /**
   * Links to some members of a plane.
   *
   * @param subRanks the peers' positions in the plane; this rank's own is ignored
   */
  public static OpCommTransport pairs(
      CommInfo comm,
      CommPlane plane,
      TransportMemType input,
      TransportMemType output,
      int... subRanks) {
    Arguments.require(comm, "comm");
    Arguments.require(plane, "plane");
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    Arguments.require(subRanks, "subRanks");
    return builder(comm).pairs(plane, input, output, subRanks).build();
  }

  /** Links to the parent and the children in a binomial tree over a plane. */
  public static OpCommTransport tree(
      CommInfo comm, CommPlane plane, TransportMemType input, TransportMemType output, int root) {
    Arguments.require(comm, "comm");
    Arguments.require(plane, "plane");
    Arguments.require(input, "input");
    Arguments.require(output, "output");
    return builder(comm).tree(plane, input, output, root).build();
  }

  /** Collects links. A link that is requested twice in the same way counts once. */
  public static final class Builder {

    private final CommInfo comm;
    private final Map<CommPlane, List<Draft>> drafts = new EnumMap<>(CommPlane.class);
    private @Nullable Protocol protocol;
    private boolean supportDataReceivedAck = true;
    private int notifyNum = Link.PAIRED_NOTIFIES;
    private final LinkTrace.Listener trace = LinkTrace.listener();

    private Builder(CommInfo comm) {
      this.comm = comm;
    }

    /** Uses one protocol for the following links instead of the group's. */
    public Builder protocol(Protocol newProtocol) {
      Arguments.require(newProtocol, "newProtocol");
      this.protocol = newProtocol;
      return this;
    }

    /**
     * Whether receivers acknowledge data on RDMA links of the following sub-communicators; true by
     * default.
     */
    public Builder supportDataReceivedAck(boolean isSupported) {
      this.supportDataReceivedAck = isSupported;
      return this;
    }

    /** The number of notifies at each end of the following links. */
    public Builder notifyNum(int newNotifyNum) {
      this.notifyNum = newNotifyNum;
      return this;
    }

    /** Links to the previous and the next member of a plane, around its ends. */
    public Builder ring(CommPlane plane, TransportMemType input, TransportMemType output) {
      Arguments.require(plane, "plane");
      Arguments.require(input, "input");
      Arguments.require(output, "output");
      RankList members = comm.topology().plane(plane, comm.rank());
      int here = members.indexOf(comm.rank());
      int size = members.size();
      return pairs(plane, input, output, (here + size - 1) % size, (here + 1) % size);
    }

    /** Links to all other members of a plane. */
    public Builder mesh(CommPlane plane, TransportMemType input, TransportMemType output) {
      Arguments.require(plane, "plane");
      Arguments.require(input, "input");
      Arguments.require(output, "output");
      int size = comm.topology().plane(plane, comm.rank()).size();
      return pairs(plane, input, output, java.util.stream.IntStream.range(0, size).toArray());
    }

    /** Links to the parent and the children in a binomial tree with the given root. */
    public Builder tree(
        CommPlane plane, TransportMemType input, TransportMemType output, int root) {
      Arguments.require(plane, "plane");
      Arguments.require(input, "input");
      Arguments.require(output, "output");
      RankList members = comm.topology().plane(plane, comm.rank());
      int size = members.size();
      members.rank(root);
      int relative = Math.floorMod(members.indexOf(comm.rank()) - root, size);
      List<Integer> peers = new ArrayList<>();
      for (int bit = 1; bit < size && (relative & bit) == 0; bit <<= 1) {
        if (relative + bit < size) {
          peers.add((relative + bit + root) % size);
        }
      }
      if (relative != 0) {
        peers.add((relative - Integer.lowestOneBit(relative) + root) % size);
      }
      return pairs(plane, input, output, peers.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Links to some members of a plane.
     *
     * @param subRanks the peers' positions in the plane; this rank's own is ignored
     */
    public Builder pairs(
        CommPlane plane, TransportMemType input, TransportMemType output, int... subRanks) {
      Arguments.require(plane, "plane");
      Arguments.require(input, "input");
      Arguments.require(output, "output");
      Arguments.require(subRanks, "subRanks");
      return pairs(plane, 0, comm.topology().plane(plane, comm.rank()), input, output, subRanks);
    }

    /**
     * Links to some members of a sub-communicator that is not a plane of the topology.
     *
     * @param plane the level of the sub-communicator
     * @param index its index in that level, 1 or more and the same on all its members
     * @param members its members in order, this rank among them
     * @param subRanks the peers' positions among the members; this rank's own is ignored
     */
    public Builder subComm(
        CommPlane plane,
        int index,
        RankList members,
        TransportMemType input,
        TransportMemType output,
        int... subRanks) {
      Arguments.require(plane, "plane");
      Arguments.require(members, "members");
      Arguments.require(input, "input");
      Arguments.require(output, "output");
      Arguments.require(subRanks, "subRanks");
      if (index < 1) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the index of a sub-communicator must be 1 or more; 0 is the topology's plane. Actual:"
                + " %d",
            index);
      }
      return pairs(plane, index, members, input, output, subRanks);
    }

    private Builder pairs(
        CommPlane plane,
        int index,
        RankList members,
        TransportMemType input,
        TransportMemType output,
        int[] subRanks) {
      Protocol planeProtocol = protocol == null ? comm.protocol(plane) : protocol;
      List<Draft> level = drafts.computeIfAbsent(plane, p -> new ArrayList<>());
      while (level.size() <= index) {
        level.add(
            new Draft(
                level.isEmpty() ? comm.topology().plane(plane, comm.rank()) : members,
                comm.rank(),
                planeProtocol,
                supportDataReceivedAck));
      }
      if (level.get(index).requests.isEmpty()) {
        level.set(index, new Draft(members, comm.rank(), planeProtocol, supportDataReceivedAck));
      }
      Draft draft = level.get(index);
      if (!draft.members.equals(members) || draft.protocol != planeProtocol) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "sub-communicator %d of %s is %s over %s, and cannot be %s over %s at once",
            index,
            plane.label(),
            draft.members,
            draft.protocol.label(),
            members,
            planeProtocol.label());
      }
      for (int subRank : subRanks) {
        int peer = members.rank(subRank);
        if (peer != comm.rank()) {
          draft.add(TransportRequest.of(comm.rank(), peer, input, output).withNotifyNum(notifyNum));
          trace.asked(plane, index, peer);
        }
      }
      return this;
    }

    /** The links collected so far. */
    public OpCommTransport build() {
      Map<CommPlane, LevelNSubCommTransport> levels = new EnumMap<>(CommPlane.class);
      drafts.forEach(
          (plane, level) ->
              levels.put(
                  plane,
                  new LevelNSubCommTransport(level.stream().map(d -> d.build(comm)).toList())));
      return new OpCommTransport(levels);
    }
  }

  /** A sub-communicator under construction. */
  private static final class Draft {
    private final RankList members;
    private final Protocol protocol;
    private final boolean ack;
    private final RequestList.Builder requests;

    Draft(RankList members, int rank, Protocol protocol, boolean ack) {
      this.members = members;
      this.protocol = protocol;
      this.ack = ack;
      this.requests = new RequestList.Builder(members, rank);
    }

    void add(TransportRequest request) {
      TransportRequest known = requests.add(request);
      if (known != null && !known.equals(request)) {
        throw new TuttiException(
            ErrorCode.LINK_MISMATCH,
            "the link from rank %d to rank %d is asked for in two ways: %s and %s",
            request.localUserRank(),
            request.remoteUserRank(),
            known,
            request);
      }
    }

    SingleSubCommTransport build(CommInfo comm) {
      return new SingleSubCommTransport(members, comm.rank(), protocol, ack, requests.build());
    }
  }
}
