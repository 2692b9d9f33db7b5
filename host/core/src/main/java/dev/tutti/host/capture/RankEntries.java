package dev.tutti.host.capture;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** The captured operations of one rank of this process. */
record RankEntries(int rank, List<RankEntry> entries) {

  /** The same with a buffer, or a part of it, replaced by another one. */
  RankEntries rebound(MemorySegment old, MemorySegment replacement) {
    return new RankEntries(
        rank, entries.stream().map(entry -> entry.rebound(old, replacement)).toList());
  }
}
