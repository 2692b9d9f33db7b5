package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Cost;
import java.util.List;
import java.util.Optional;

/** What a round of a direct scan costs: all ranks go to the first one first, and meet there. */
final class PrefixTimetable {

  private final List<Long> slices;
  private final Timetable table;

  /**
   * A round of which nothing is added up so far.
   *
   * @param slices the bytes that each rank combines
   */
  PrefixTimetable(List<Long> slices) {
    this.slices = slices;
    this.table = new Timetable(slices.size(), 1);
  }

  /**
   * Adds up a scan.
   *
   * @param isInPlace whether the first rank has its result from the start
   */
  Optional<Cost> scan(boolean isInPlace) {
    table.barrier(0);
    for (int rank = 0; rank < slices.size(); rank++) {
      if (slices.get(rank) > 0) {
        read(rank, 0, 0);
        if (!isInPlace) {
          write(rank, 0);
        }
        for (int peer = 1; peer < slices.size(); peer++) {
          read(rank, peer, slices.get(rank));
          write(rank, peer);
        }
      }
    }
    table.barrier(0);
    return table.cost();
  }

  /** Adds up an exclusive scan. */
  Optional<Cost> exclusiveScan() {
    table.barrier(0);
    for (int rank = 0; rank < slices.size(); rank++) {
      if (slices.get(rank) > 0) {
        read(rank, 0, 0);
        for (int peer = 1; peer < slices.size(); peer++) {
          if (peer + 1 < slices.size()) {
            read(rank, peer, slices.get(rank));
          }
          write(rank, peer);
        }
      }
    }
    table.barrier(0);
    return table.cost();
  }

  private void read(int rank, int peer, long combined) {
    List<Integer> from = peer == rank ? List.of() : List.of(peer);
    table.add(rank, 0, from, rank, slices.get(rank), combined, List.of());
  }

  private void write(int rank, int peer) {
    if (peer != rank) {
      table.add(rank, 0, List.of(rank), peer, slices.get(rank), 0, List.of());
    }
  }
}
