package dev.tutti.mutation;

import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportRequest;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests with one resource more or fewer than a group of executors requests. One rank or
 * both drop a link, or request an extra one. Both ends of a link request one notify more. A rank
 * requests one stream or one notify more or fewer. Requests for scratch and AIV memory are larger
 * or smaller by one element.
 *
 * <p>All ranks request more memory together. If only one rank requested more, that would not be a
 * mistake, because memory sizes may be equal on all ranks even if some ranks need less.
 */
final class RequestMutants {

  /** Changes the request of a rank. */
  interface Change {
    AlgResourceRequest of(int rank, AlgResourceRequest request);
  }

  /**
   * A changed request.
   *
   * @param operator the kind of the change
   * @param text the change in words
   */
  record RequestMutant(Operator operator, String text, Change change) {}

  private final List<@Nullable AlgResourceRequest> requests;
  private final long elementSize;
  private final List<RequestMutant> mutants = new ArrayList<>();

  private RequestMutants(List<@Nullable AlgResourceRequest> requests, long elementSize) {
    this.requests = requests;
    this.elementSize = elementSize;
  }

  /**
   * All mutants.
   *
   * @param requests the request of each rank, in rank order; null for a rank that takes no part
   */
  static List<RequestMutant> of(List<@Nullable AlgResourceRequest> requests, long elementSize) {
    RequestMutants all = new RequestMutants(requests, elementSize);
    for (int rank = 0; rank < requests.size(); rank++) {
      AlgResourceRequest asked = requests.get(rank);
      if (asked != null) {
        all.addLinks(rank, asked);
        all.addCounts(rank, asked);
        all.addLessMemory(rank, asked);
      }
    }
    all.addMoreMemory();
    return all.mutants;
  }

  private void add(
      int rank, Operator operator, String text, UnaryOperator<AlgResourceRequest> how) {
    mutants.add(
        new RequestMutant(
            operator,
            "rank " + rank + " asks for " + text,
            (asking, request) -> asking == rank ? how.apply(request) : request));
  }

  // ---- links

  private void addLinks(int rank, AlgResourceRequest asked) {
    asked
        .opTransport()
        .levels()
        .forEach(
            (plane, level) -> {
              for (int index = 0; index < level.subComms().size(); index++) {
                RankList members = level.subComms().get(index).members();
                for (int place = 0; place < members.size(); place++) {
                  if (members.rank(place) != rank) {
                    addLinks(rank, members.rank(place), new Spot(plane, index));
                  }
                }
              }
            });
  }

  /** A sub-communicator. */
  private record Spot(CommPlane plane, int index) {}

  private void addLinks(int rank, int peer, Spot spot) {
    TransportRequest link = link(requests.get(rank), spot, peer);
    String to = " link to rank " + peer + " in " + spot.plane.label();
    if (link == null) {
      TransportRequest like = anyLink(requests.get(rank), spot);
      if (like != null) {
        TransportRequest extra =
            TransportRequest.of(rank, peer, like.inputMemType(), like.outputMemType());
        TransportRequest back =
            TransportRequest.of(peer, rank, like.inputMemType(), like.outputMemType());
        add(rank, Operator.LINK, "one more" + to, request -> with(request, spot, extra));
        addPair(rank, peer, "one more" + to, spot, extra, back);
      }
      return;
    }
    TransportRequest none = TransportRequest.none(rank, peer);
    add(rank, Operator.LINK, "no" + to, request -> with(request, spot, none));
    addPair(rank, peer, "no" + to, spot, none, TransportRequest.none(peer, rank));
    TransportRequest reverse = link(requests.get(peer), spot, rank);
    if (reverse != null) {
      int notifies = link.notifyNum() + 1;
      addPair(
          rank,
          peer,
          "one more notify on its" + to,
          spot,
          link.withNotifyNum(notifies),
          reverse.withNotifyNum(notifies));
    }
  }

  /**
   * Adds a mutant in which both ends of a link make the same change. Each pair of ranks gets it
   * once.
   */
  private void addPair(
      int rank, int peer, String text, Spot spot, TransportRequest link, TransportRequest back) {
    if (rank < peer) {
      mutants.add(
          new RequestMutant(
              Operator.LINK,
              "rank " + rank + " asks for " + text + ", and so does the peer",
              (asking, request) ->
                  asking == rank
                      ? with(request, spot, link)
                      : asking == peer ? with(request, spot, back) : request));
    }
  }

  private static @Nullable TransportRequest link(
      @Nullable AlgResourceRequest request, Spot spot, int peer) {
    if (request == null) {
      return null;
    }
    LevelNSubCommTransport level = request.opTransport().levels().get(spot.plane);
    if (level == null || spot.index >= level.subComms().size()) {
      return null;
    }
    SingleSubCommTransport comm = level.subComms().get(spot.index);
    return comm.validRequests().get(comm.members().indexOf(peer));
  }

  private static @Nullable TransportRequest anyLink(
      @Nullable AlgResourceRequest request, Spot spot) {
    if (request == null) {
      return null;
    }
    LevelNSubCommTransport level = request.opTransport().levels().get(spot.plane);
    return level == null
        ? null
        : level.subComms().get(spot.index).validRequests().values().stream()
            .findFirst()
            .orElse(null);
  }

  /** The same request with another link to a peer in one of its sub-communicators. */
  private static AlgResourceRequest with(
      AlgResourceRequest request, Spot spot, TransportRequest link) {
    Map<CommPlane, LevelNSubCommTransport> levels = new EnumMap<>(CommPlane.class);
    levels.putAll(request.opTransport().levels());
    LevelNSubCommTransport level = levels.get(spot.plane);
    if (level == null || spot.index >= level.subComms().size()) {
      return request;
    }
    List<SingleSubCommTransport> comms = new ArrayList<>(level.subComms());
    SingleSubCommTransport comm = comms.get(spot.index);
    List<TransportRequest> links = new ArrayList<>(comm.validRequests().values());
    links.removeIf(known -> known.remoteUserRank() == link.remoteUserRank());
    links.add(link);
    comms.set(
        spot.index,
        new SingleSubCommTransport(
            comm.members(),
            comm.localUserRank(),
            comm.protocol(),
            comm.supportDataReceivedAck(),
            links));
    levels.put(spot.plane, new LevelNSubCommTransport(comms));
    return new AlgResourceRequest(
        request.scratchMemSize(),
        request.streamNum(),
        request.notifyNum(),
        request.aivBufferSize(),
        new OpCommTransport(levels));
  }

  // ---- streams, notifies, memory

  private void addCounts(int rank, AlgResourceRequest asked) {
    int streams = asked.streamNum();
    int notifies = asked.notifyNum();
    add(
        rank,
        Operator.RESOURCE,
        "one more stream",
        request -> withStreams(request, streams + 1, notifies + 2));
    add(rank, Operator.RESOURCE, "one more notify", request -> request.withNotifyNum(notifies + 1));
    if (streams > 0) {
      add(
          rank,
          Operator.RESOURCE,
          "one stream fewer",
          request -> withStreams(request, streams - 1, notifies - 2));
    }
    if (notifies > 2 * streams) {
      add(
          rank,
          Operator.RESOURCE,
          "one notify fewer",
          request -> request.withNotifyNum(notifies - 1));
    }
  }

  private static AlgResourceRequest withStreams(
      AlgResourceRequest request, int streams, int notifies) {
    return request.withStreamNum(streams).withNotifyNum(notifies);
  }

  private void addLessMemory(int rank, AlgResourceRequest asked) {
    if (asked.scratchMemSize() >= elementSize) {
      add(
          rank,
          Operator.RESOURCE,
          "less scratch",
          request -> request.withScratchMemSize(request.scratchMemSize() - elementSize));
    }
    if (asked.aivBufferSize() >= elementSize) {
      add(
          rank,
          Operator.RESOURCE,
          "less AIV memory",
          request -> request.withAivBufferSize(request.aivBufferSize() - elementSize));
    }
  }

  private void addMoreMemory() {
    mutants.add(
        new RequestMutant(
            Operator.RESOURCE,
            "all ranks ask for more scratch",
            (rank, request) -> request.withScratchMemSize(request.scratchMemSize() + elementSize)));
    mutants.add(
        new RequestMutant(
            Operator.RESOURCE,
            "all ranks ask for more AIV memory",
            (rank, request) -> request.withAivBufferSize(request.aivBufferSize() + elementSize)));
  }
}
