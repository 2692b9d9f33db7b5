package dev.tutti.host.capture;

import dev.tutti.host.group.RecordedCall;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The captured operations of one rank of this process. */
record RankEntries(int rank, List<RankEntry> entries) {

  /** The same with a buffer, or a part of it, replaced by another one. */
  RankEntries rebound(MemorySegment old, MemorySegment replacement) {
    return new RankEntries(
        rank, entries.stream().map(entry -> entry.rebound(old, replacement)).toList());
  }

  /**
   * The same with the plans of joined calls.
   *
   * @param places the place of each operation among the calls
   */
  RankEntries withPlans(List<RecordedCall> calls, Map<CaptureOrder, Integer> places) {
    List<RankEntry> planned = new ArrayList<>();
    for (RankEntry entry : entries) {
      int place = Objects.requireNonNull(places.get(entry.order()));
      planned.add(entry.withPlanned(calls.get(place).planned()));
    }
    return new RankEntries(rank, planned);
  }

  /**
   * The operations in the order of another capture, of which they become a part.
   *
   * @param at the place of all of them in that order
   * @param places the place of each operation among those of all ranks
   */
  List<RankEntry> partOf(CaptureOrder at, Map<CaptureOrder, Integer> places) {
    List<RankEntry> numbered = new ArrayList<>();
    for (RankEntry entry : entries) {
      int part = Objects.requireNonNull(places.get(entry.order()));
      numbered.add(entry.withOrder(new CaptureOrder(at.clock(), at.meeting(), at.number(), part)));
    }
    return numbered;
  }
}
