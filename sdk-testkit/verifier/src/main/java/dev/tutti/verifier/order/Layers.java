package dev.tutti.verifier.order;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last accesses to each segment of memory along a walk. For each new access, it asks
 * whether the access happens after those that it conflicts with. Not thread-safe.
 */
final class Layers {

  /** An access that reads. */
  static final int READ = 0;

  /** An access that writes, or reads and writes. */
  static final int WRITE = 1;

  /**
   * An atomic reduction. It does not conflict with atomic reductions of the same span, type and
   * operation.
   */
  static final int UPDATE = 2;

  /** Decides whether two atomic reductions agree, and so do not conflict. */
  interface Agreement {
    boolean agree(int stream1, int event1, int stream2, int event2);
  }

  /** Receives the question whether an earlier access of the walk happens before the current one. */
  interface Inquiry {
    void ask(int stream, int event, int segment);
  }

  /*
   * The accesses of a segment, in the order of the walk, fall into layers. Neighbors that do not
   * conflict, such as reads without a write between them, share a layer; each write is a separate
   * layer. Only the current layer and the one before it (the base) are kept. An access that joins
   * the current layer is compared with the base. An access that starts a new layer is compared with
   * the current one.
   *
   * That is enough to detect whether a segment has a race. Take the first access A of the walk that
   * races with an earlier access X. Before A everything is in order, so each access of a layer
   * happens before each access of the next layer. If X is in an older layer than the accesses that
   * A is compared with, X happens before all of these. At least one of them does not happen before
   * A, because otherwise X would. So one answer is no. Later answers in that segment may be wrong,
   * because a forgotten access did not happen before all kept ones. So SegmentRaces judges a
   * segment with a race again.
   *
   * Each segment has four ints, two for the base and two for the layer: either one access, as
   * (stream, kind) and event, or a negative number that is the head of a list of accesses in the
   * pool. Memory grows with the number of touched segments, and with the concurrent readers of each
   * segment. The records are stored in chunks, because one array could not hold all of them.
   */
  private static final int RECORD = 4;

  private static final int CHUNK_BITS = 12;
  private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;

  private static final int LAYER = 2;
  private static final int NODE = 3;
  private static final int NIL = -1;

  private final Agreement agreement;
  private final int[] @Nullable [] records;

  private int[] pool = new int[NODE << 4];
  private int poolEnd;
  private int free = NIL;

  /** Starts without any accesses. */
  Layers(int segments, Agreement agreement) {
    this.agreement = agreement;
    this.records = new int[(segments + CHUNK_MASK) >>> CHUNK_BITS] @Nullable [];
  }

  /**
   * Adds an access of a segment. Calls {@code out} for each earlier access that must happen before
   * it.
   */
  void access(int segment, int kind, int stream, int event, Inquiry out) {
    int[] record = records[segment >>> CHUNK_BITS];
    if (record == null) {
      record = new int[RECORD << CHUNK_BITS];
      records[segment >>> CHUNK_BITS] = record;
    }
    int at = (segment & CHUNK_MASK) * RECORD;
    int head = record[at + LAYER];
    if (head != 0 && !joins(record, at + LAYER, kind, stream, event)) {
      ask(record, at + LAYER, segment, out);
      drop(record, at);
      if (kind == WRITE) {
        drop(record, at + LAYER);
      } else {
        record[at] = head;
        record[at + 1] = record[at + LAYER + 1];
        record[at + LAYER] = 0;
      }
    } else {
      ask(record, at, segment, out);
    }
    put(record, at + LAYER, ((stream + 1) << 2) | kind, event);
  }

  private boolean joins(int[] record, int at, int kind, int stream, int event) {
    int first = record[at] > 0 ? record[at] : pool[~record[at]];
    int firstEvent = record[at] > 0 ? record[at + 1] : pool[~record[at] + 1];
    return (first & 3) == kind
        && (kind == READ
            || (kind == UPDATE && agreement.agree((first >>> 2) - 1, firstEvent, stream, event)));
  }

  private void ask(int[] record, int at, int segment, Inquiry out) {
    int head = record[at];
    if (head > 0) {
      out.ask((head >>> 2) - 1, record[at + 1], segment);
    } else if (head < 0) {
      for (int node = ~head; node != NIL; node = pool[node + 2]) {
        out.ask((pool[node] >>> 2) - 1, pool[node + 1], segment);
      }
    }
  }

  /**
   * Adds an access to a layer. It replaces an earlier access of the same stream if that is cheap to
   * find.
   */
  private void put(int[] record, int at, int who, int event) {
    int head = record[at];
    if (head == 0 || head == who) {
      record[at] = who;
      record[at + 1] = event;
    } else if (head < 0 && pool[~head] == who) {
      pool[~head + 1] = event;
    } else {
      int next = head < 0 ? ~head : node(head, record[at + 1], NIL);
      record[at] = ~node(who, event, next);
    }
  }

  private int node(int who, int event, int next) {
    int node = free;
    if (node != NIL) {
      free = pool[node + 2];
    } else {
      if (poolEnd == pool.length) {
        pool = Arrays.copyOf(pool, Math.multiplyExact(poolEnd, 2));
      }
      node = poolEnd;
      poolEnd += NODE;
    }
    pool[node] = who;
    pool[node + 1] = event;
    pool[node + 2] = next;
    return node;
  }

  private void drop(int[] record, int at) {
    int head = record[at];
    if (head < 0) {
      int last = ~head;
      while (pool[last + 2] != NIL) {
        last = pool[last + 2];
      }
      pool[last + 2] = free;
      free = ~head;
    }
    record[at] = 0;
  }
}
