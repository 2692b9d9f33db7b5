package dev.tutti.verifier.symbol;

import java.util.ArrayList;
import java.util.List;

/** A small set of bytes, as spans in ascending order that neither overlap nor touch. */
final class Spans {

  private List<long[]> spans = new ArrayList<>();

  boolean isEmpty() {
    return spans.isEmpty();
  }

  void add(long from, long to) {
    List<long[]> merged = new ArrayList<>();
    long start = from;
    long end = to;
    int next = 0;
    while (next < spans.size() && spans.get(next)[1] < from) {
      merged.add(spans.get(next++));
    }
    while (next < spans.size() && spans.get(next)[0] <= to) {
      start = Math.min(start, spans.get(next)[0]);
      end = Math.max(end, spans.get(next++)[1]);
    }
    merged.add(new long[] {start, end});
    merged.addAll(spans.subList(next, spans.size()));
    spans = merged;
  }

  /**
   * Removes the bytes that an action writes.
   *
   * @param from the first byte that it writes
   * @param to the end of the bytes that it writes
   * @param element the size in bytes of the elements that it writes, counted from {@code from}
   * @return the removed bytes, widened to whole elements, in ascending order without overlap
   */
  List<long[]> take(long from, long to, long element) {
    Spans taken = new Spans();
    List<long[]> left = new ArrayList<>();
    for (long[] span : spans) {
      if (span[1] <= from || span[0] >= to) {
        left.add(span);
        continue;
      }
      if (span[0] < from) {
        left.add(new long[] {span[0], from});
      }
      if (span[1] > to) {
        left.add(new long[] {to, span[1]});
      }
      long first = Math.max(span[0], from) - from;
      long last = Math.min(span[1], to) - from;
      taken.add(
          from + first / element * element,
          Math.min(to, from + (last + element - 1) / element * element));
    }
    spans = left;
    return taken.spans;
  }
}
