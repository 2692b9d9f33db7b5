package dev.tutti.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What workers have written so far in a run, and who has. */
final class WrittenSpans {

  private final Map<Integer, TreeMap<Long, Span>> bySlot = new HashMap<>();

  private record Span(long end, int worker) {}

  /** Notes what a worker writes; of what begins at the same place, only the last counts. */
  void write(int slot, long offset, long bytes, int worker) {
    bySlot
        .computeIfAbsent(slot, key -> new TreeMap<>())
        .put(offset, new Span(offset + bytes, worker));
  }

  /** How many bytes of a span another worker has written. */
  long foreignBytes(int slot, long offset, long bytes, int worker) {
    TreeMap<Long, Span> spans = bySlot.get(slot);
    if (spans == null) {
      return 0;
    }
    long end = offset + bytes;
    Long before = spans.floorKey(offset);
    long foreign = 0;
    for (var entry : spans.subMap(before == null ? offset : before, end).entrySet()) {
      Span span = entry.getValue();
      long common = Math.min(end, span.end) - Math.max(offset, entry.getKey());
      foreign += span.worker == worker ? 0 : Math.max(0, common);
    }
    return Math.min(bytes, foreign);
  }
}
