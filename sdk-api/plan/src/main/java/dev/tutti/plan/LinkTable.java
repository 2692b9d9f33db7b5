package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.LevelNSubCommTransport;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SingleSubCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.resource.TransportRequest;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of one rank, numbered in the order of their key: plane, sub-communicator, peer.
 * Immutable.
 */
final class LinkTable {

  /** One link of a rank. */
  record Entry(LinkKind kind, int peer) {}

  private static final Comparator<Entry> BY_KEY =
      Comparator.<Entry, CommPlane>comparing(entry -> entry.kind.plane())
          .thenComparingInt(entry -> entry.kind.subComm())
          .thenComparingInt(Entry::peer);

  static final LinkTable EMPTY = new LinkTable(new int[0], Kinds.NONE);

  /**
   * The number of low bits of an action's argument that name a notify; the bits above name the
   * link.
   */
  static final int NOTIFY_BITS = 10;

  /** The most links an action can name. */
  static final int MAX_LINKS = 1 << (31 - NOTIFY_BITS);

  private final int[] peers;
  private final LinkKind[] kinds;

  /**
   * The kind of each link of a table; ranks with the same number of links of the same kinds share
   * one.
   */
  private record Kinds(LinkKind[] array) {
    static final Kinds NONE = new Kinds(new LinkKind[0]);

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kinds that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
      // Few ranks have links of several kinds, so the first and the last one are enough.
      return array.length == 0
          ? 0
          : 31 * (31 * array.length + array[0].hashCode()) + array[array.length - 1].hashCode();
    }
  }

  private LinkTable(int[] peers, Kinds kinds) {
    this.peers = peers;
    this.kinds = kinds.array;
  }

  /** A table of links in any order, with distinct keys. */
  static LinkTable of(List<Entry> entries, Interner interner) {
    Entry[] sorted = entries.toArray(Entry[]::new);
    Arrays.sort(sorted, BY_KEY);
    int[] peers = new int[sorted.length];
    LinkKind[] kinds = new LinkKind[sorted.length];
    for (int link = 0; link < peers.length; link++) {
      peers[link] = sorted[link].peer;
      kinds[link] = sorted[link].kind;
    }
    return of(peers, kinds, peers.length, interner);
  }

  /** A table of the first {@code size} links, which are in order. */
  private static LinkTable of(int[] peers, LinkKind[] kinds, int size, Interner interner) {
    if (size > MAX_LINKS) {
      throw new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "a rank can ask for at most %d links. Actual: %d",
          MAX_LINKS,
          size);
    }
    return size == 0
        ? EMPTY
        : new LinkTable(
            Arrays.copyOf(peers, size), interner.value(new Kinds(Arrays.copyOf(kinds, size))));
  }

  /** The links that a rank requests. */
  static LinkTable of(OpCommTransport transport, Interner interner) {
    Collector links = new Collector(interner);
    for (Map.Entry<CommPlane, LevelNSubCommTransport> level : transport.levels().entrySet()) {
      List<SingleSubCommTransport> subComms = level.getValue().subComms();
      for (int i = 0; i < subComms.size(); i++) {
        links.add(level.getKey(), i, subComms.get(i));
      }
    }
    return links.build();
  }

  /** Collects links, ordered by plane and sub-communicator, and mostly by peer. */
  private static final class Collector {
    private final Interner interner;
    private int size;
    private int[] peers = new int[4];
    private LinkKind[] kinds = new LinkKind[4];
    private boolean isSorted = true;

    Collector(Interner interner) {
      this.interner = interner;
    }

    void add(CommPlane plane, int index, SingleSubCommTransport subComm) {
      LinkKind kind = null;
      int lastPeer = -1;
      List<TransportRequest> requests = subComm.validRequestList();
      for (int i = 0; i < requests.size(); i++) {
        TransportRequest request = requests.get(i);
        if (kind == null
            || kind.notifyCount() != request.notifyNum()
            || kind.inputMemType() != request.inputMemType()
            || kind.outputMemType() != request.outputMemType()) {
          kind = interner.value(kind(plane, index, subComm, request));
        }
        add(kind, request.remoteUserRank());
        isSorted &= request.remoteUserRank() > lastPeer;
        lastPeer = request.remoteUserRank();
      }
    }

    private static LinkKind kind(
        CommPlane plane, int index, SingleSubCommTransport subComm, TransportRequest request) {
      return new LinkKind(
          plane,
          index,
          subComm.protocol(),
          subComm.supportDataReceivedAck(),
          request.notifyNum(),
          request.inputMemType(),
          request.outputMemType());
    }

    private void add(LinkKind kind, int peer) {
      if (size == peers.length) {
        peers = Arrays.copyOf(peers, 2 * size);
        kinds = Arrays.copyOf(kinds, 2 * size);
      }
      peers[size] = peer;
      kinds[size++] = kind;
    }

    LinkTable build() {
      LinkTable table = LinkTable.of(peers, kinds, size, interner);
      return isSorted ? table : of(table.entries(), interner);
    }
  }

  /** The same table without one link; the numbers of later links decrease by one. */
  LinkTable without(int link) {
    List<Entry> entries = entries();
    entries.remove(link);
    return of(entries, new Interner());
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int link = 0; link < peers.length; link++) {
      entries.add(new Entry(kinds[link], peers[link]));
    }
    return entries;
  }

  int size() {
    return peers.length;
  }

  int peer(int link) {
    return peers[link];
  }

  LinkKind kind(int link) {
    return kinds[link];
  }

  /** The number of the link with a key, or -1. */
  int find(CommPlane plane, int subComm, int peer) {
    int found = search(plane, subComm, peer);
    return Math.max(found, -1);
  }

  /** The number of the link with a key, or {@code -2 - n} if it would be link n. */
  private int search(CommPlane plane, int subComm, int peer) {
    int low = 0;
    int high = peers.length - 1;
    for (int look = 0; low <= high; look++) {
      // In a mesh, the link to a peer has the peer's number, or the one before.
      int middle = look < 2 ? Math.clamp(peer, low, high) : (low + high) >>> 1;
      LinkKind kind = kinds[middle];
      int order = kind.plane().compareTo(plane);
      order = order != 0 ? order : Integer.compare(kind.subComm(), subComm);
      order = order != 0 ? order : Integer.compare(peers[middle], peer);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -2 - low;
  }

  /** Whether this rank can load a peer's memory directly over some link. */
  boolean loads(int peer, TransportMemType type) {
    for (int start = 0; start < peers.length; ) {
      LinkKind first = kinds[start];
      int link = find(first.plane(), first.subComm(), peer);
      if (link >= 0 && kinds[link].isDirect() && kinds[link].registers(type)) {
        return true;
      }
      // No peer has the largest int as its rank: this is the end of the sub-communicator.
      start = -2 - search(first.plane(), first.subComm(), Integer.MAX_VALUE);
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof LinkTable that
            && Arrays.equals(peers, that.peers)
            && Arrays.equals(kinds, that.kinds));
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(peers) + Arrays.hashCode(kinds);
  }
}
