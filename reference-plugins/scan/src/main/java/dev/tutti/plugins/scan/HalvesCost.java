package dev.tutti.plugins.scan;

import dev.tutti.plugins.template.Timetable;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a {@link HalvesScan} costs: its transfers are added up.
 *
 * @param param the request
 * @param perRound the elements of each round but the last
 */
record HalvesCost(ScanParam param, long perRound) {

  /** The cost; empty if there are too many transfers. */
  Optional<Cost> cost() {
    Timetable table = new Timetable(param.comm().rankSize(), 1);
    for (long done = 0; done < param.count() && !table.isTooLong(); done += perRound) {
      addRound(table, Math.min(perRound, param.count() - done));
    }
    return table.cost();
  }

  /** A rank combines a segment when the one before the last has been taken from it. */
  private void addRound(Timetable table, long count) {
    int ranks = param.comm().rankSize();
    int head = HalvesScan.head(ranks);
    List<Integer> offered = lasts(table, IntStream.range(0, head));
    List<Integer> ends = List.of();
    List<Integer> endsBefore = List.of();
    for (Slice segment : Segments.of(param, count, param.dataType())) {
      for (int rank = 1; rank < ranks; rank++) {
        int sources = rank == head ? head : 1;
        List<Integer> from = IntStream.range(rank - sources, rank).boxed().toList();
        List<Integer> after = new ArrayList<>(rank == head ? offered : List.of());
        if (rank != head) {
          after.add(table.last(rank - 1, 0));
        }
        if (HalvesScan.handsOn(rank, ranks) && !endsBefore.isEmpty()) {
          after.add(endsBefore.get(rank + 1));
        }
        table.add(rank, 0, from, rank, segment.size(), sources * segment.size(), after);
      }
      endsBefore = ends;
      ends = lasts(table, IntStream.range(0, ranks));
    }
    close(table, ranks, ends);
  }

  private static void close(Timetable table, int ranks, List<Integer> ends) {
    for (int rank = 0; rank < ranks; rank++) {
      List<Integer> after = new ArrayList<>();
      if (rank < HalvesScan.head(ranks)) {
        after.add(ends.get(HalvesScan.head(ranks)));
      }
      if (HalvesScan.handsOn(rank, ranks)) {
        after.add(ends.get(rank + 1));
      }
      table.join(rank, 0, after);
    }
  }

  private static List<Integer> lasts(Timetable table, IntStream ranks) {
    return ranks.mapToObj(rank -> table.last(rank, 0)).toList();
  }
}
