package dev.tutti.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The views of a composition's memories, found by rank and offset. Immutable. */
final class ViewTable {

  private final long[] start;
  private final long[] bytes;
  private final boolean[] isShared;
  private final int[] rank;

  /** The views of each rank, by their first bytes. */
  private final int[][] ofRank;

  ViewTable(Composition composition) {
    int count = composition.views();
    this.start = new long[count];
    this.bytes = new long[count];
    this.isShared = new boolean[count];
    this.rank = new int[count];
    for (Composition.Memory memory : composition.memories()) {
      int view = memory.firstView();
      for (Composition.View each : memory.views()) {
        start[view] = memory.base() + each.offset();
        bytes[view] = each.bytes();
        isShared[view] = memory.views().size() > 1;
        rank[view++] = memory.rank();
      }
    }
    this.ofRank = new int[composition.ranks()][];
    Arrays.setAll(ofRank, owner -> sorted(IntStream.range(0, count).filter(v -> rank[v] == owner)));
  }

  private int[] sorted(IntStream views) {
    return views
        .boxed()
        .sorted(Comparator.comparingLong(view -> start[view]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  int count() {
    return start.length;
  }

  /** The first byte of a view in the memory that plans call the input of its rank. */
  long start(int view) {
    return start[view];
  }

  long bytes(int view) {
    return bytes[view];
  }

  /** The rank whose buffer a view shows. */
  int rank(int view) {
    return rank[view];
  }

  /** Whether other views may contain bytes of this one. */
  boolean isShared(int view) {
    return isShared[view];
  }

  /** A view that contains all the given bytes. */
  int find(int rank, long offset, long length) {
    int[] views = ofRank[rank];
    int low = 0;
    int high = views.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (start[views[middle]] <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= 0; i--) {
      if (offset + length <= start[views[i]] + bytes[views[i]]) {
        return views[i];
      }
    }
    throw new IllegalStateException(
        "no view has bytes " + offset + " to " + (offset + length) + " of rank " + rank);
  }
}
