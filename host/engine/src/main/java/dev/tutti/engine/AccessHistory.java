package dev.tutti.engine;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Keeps, for every byte of one memory, the accesses that later ones must be compared with. It drops
 * an access once a later one represents it: the later one happens after it and conflicts with
 * everything that it conflicts with.
 */
final class AccessHistory {

  /** Knows which accesses happen before the added one, and receives the missing orders. */
  interface Judge {

    /** Whether an earlier access happens before the one that is added. */
    boolean isKnown(int lane, int count);

    /** An access of an earlier part must happen before the added one, but does not. */
    void isMissing(int rank, int part);
  }

  /** An access; its values hold for all its bytes. */
  record Access(int lane, int count, int rank, int part, boolean isWrite) {}

  /** The spans, by their first bytes; each reaches to the next one. */
  private final NavigableMap<Long, Cell> cells = new TreeMap<>();

  AccessHistory() {
    cells.put(0L, new Cell());
  }

  void add(long from, long to, Access access, Judge judge) {
    split(from);
    split(to);
    for (Cell cell : cells.subMap(from, to).values()) {
      cell.add(access, judge);
    }
  }

  private void split(long at) {
    Map.Entry<Long, Cell> before = cells.floorEntry(at);
    if (before.getKey() != at) {
      cells.put(at, new Cell(before.getValue()));
    }
  }

  /** The accesses of a span. */
  private static final class Cell {
    private Access[] kept;
    private int size;

    Cell() {
      kept = new Access[2];
    }

    Cell(Cell like) {
      kept = like.kept.clone();
      size = like.size;
    }

    void add(Access access, Judge judge) {
      int remaining = 0;
      for (int i = 0; i < size; i++) {
        Access earlier = kept[i];
        boolean conflicts = access.isWrite || earlier.isWrite;
        boolean isKnown = judge.isKnown(earlier.lane, earlier.count);
        if (conflicts && !isKnown && earlier.part != access.part) {
          judge.isMissing(earlier.rank, earlier.part);
          isKnown = true;
        }
        if (!isKnown || (earlier.isWrite && !access.isWrite)) {
          kept[remaining++] = earlier;
        }
      }
      if (remaining == kept.length) {
        kept = Arrays.copyOf(kept, 2 * remaining);
      }
      kept[remaining] = access;
      Arrays.fill(kept, remaining + 1, Math.max(size, remaining + 1), null);
      size = remaining + 1;
    }
  }
}
