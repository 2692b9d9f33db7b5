package dev.tutti.sdk.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.resource.TransportRequest;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of one rank, numbered in the order of (plane, sub-communicator, peer), so that a link
 * is found by its key.
 */
final class LinkTable {

  private static final Comparator<Entry> BY_KEY =
      Comparator.comparing(Entry::plane)
          .thenComparingInt(Entry::subComm)
          .thenComparingInt(Entry::peer);

  static final LinkTable EMPTY = new LinkTable(List.of());

  /** The most links an action can name. */
  private static final int MAX_LINKS = 1 << (31 - RankPlan.LINK_NOTIFY_BITS);

  private final Entry[] entries;

  /** One link of a rank. */
  record Entry(
      CommPlane plane,
      int subComm,
      int peer,
      Protocol protocol,
      boolean acknowledges,
      int notifyCount,
      TransportMemType inputMemType,
      TransportMemType outputMemType) {

    boolean registers(TransportMemType type) {
      return type == inputMemType || type == outputMemType;
    }

    /** Whether the other end of this link was asked for in the same way. */
    boolean matches(Entry reverse) {
      return protocol == reverse.protocol
          && acknowledges == reverse.acknowledges
          && notifyCount == reverse.notifyCount
          && inputMemType == reverse.inputMemType
          && outputMemType == reverse.outputMemType;
    }

    String key() {
      return plane.label() + " sub-communicator " + subComm;
    }

    String manner() {
      return "%s, %d notifies, memory %s and %s%s"
          .formatted(
              protocol.label(),
              notifyCount,
              inputMemType.label(),
              outputMemType.label(),
              acknowledges ? "" : ", without acknowledgement");
    }
  }

  LinkTable(List<Entry> entries) {
    if (entries.size() > MAX_LINKS) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "a rank can ask for at most %d links. Actual: %d",
          MAX_LINKS,
          entries.size());
    }
    this.entries = entries.stream().sorted(BY_KEY).toArray(Entry[]::new);
  }

  static LinkTable of(OpCommTransport transport) {
    List<Entry> entries = new ArrayList<>();
    for (Map.Entry<CommPlane, LevelNSubCommTransport> level : transport.levels().entrySet()) {
      List<SingleSubCommTransport> subComms = level.getValue().subComms();
      for (int i = 0; i < subComms.size(); i++) {
        SingleSubCommTransport subComm = subComms.get(i);
        for (TransportRequest request : subComm.validRequests().values()) {
          entries.add(
              new Entry(
                  level.getKey(),
                  i,
                  request.remoteUserRank(),
                  subComm.protocol(),
                  subComm.supportDataReceivedAck(),
                  request.notifyNum(),
                  request.inputMemType(),
                  request.outputMemType()));
        }
      }
    }
    return entries.isEmpty() ? EMPTY : new LinkTable(entries);
  }

  int size() {
    return entries.length;
  }

  Entry entry(int link) {
    return entries[link];
  }

  int peer(int link) {
    return entries[link].peer;
  }

  CommPlane plane(int link) {
    return entries[link].plane;
  }

  int subComm(int link) {
    return entries[link].subComm;
  }

  int notifyCount(int link) {
    return entries[link].notifyCount;
  }

  /** The number of the link with a key, or -1. */
  int find(CommPlane plane, int subComm, int peer) {
    int low = 0;
    int high = entries.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Entry entry = entries[middle];
      int order = entry.plane.compareTo(plane);
      order = order != 0 ? order : Integer.compare(entry.subComm, subComm);
      order = order != 0 ? order : Integer.compare(entry.peer, peer);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** Whether a peer's memory can be loaded directly over some link of this rank. */
  boolean loads(int peer, TransportMemType type) {
    for (Entry entry : entries) {
      if (entry.peer == peer && entry.protocol == Protocol.DIRECT && entry.registers(type)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LinkTable that && List.of(entries).equals(List.of(that.entries));
  }

  @Override
  public int hashCode() {
    return List.of(entries).hashCode();
  }
}
