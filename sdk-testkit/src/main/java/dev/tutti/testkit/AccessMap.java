package dev.tutti.testkit;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who touched which bytes of one memory last: per span the last write, and the reads since then
 * that no other read there happens after. That is enough to see whether a memory has a race
 * (Flanagan, Freund: FastTrack, PLDI 2009).
 */
final class AccessMap {

  /** Told about two accesses to the same bytes that nothing orders. */
  interface Conflict {
    /** An earlier access of the walk; the later one is known to the caller. */
    void found(int stream, int event, boolean isWrite, long from, long to);
  }

  private static final int NONE = -1;

  private final TreeMap<Long, Span> spans = new TreeMap<>();

  private static final class Span {
    final long start;
    long end;
    int writeStream = NONE;
    int writeEvent;
    int readCount;
    int[] readStreams = new int[2];
    int[] readEvents = new int[2];

    Span(long start, long end) {
      this.start = start;
      this.end = end;
    }

    /** Cuts off the part from {@code at} on. */
    Span split(long at) {
      Span rest = new Span(at, end);
      rest.writeStream = writeStream;
      rest.writeEvent = writeEvent;
      rest.readCount = readCount;
      rest.readStreams = readStreams.clone();
      rest.readEvents = readEvents.clone();
      end = at;
      return rest;
    }

    void addRead(int stream, int event, int[] clock) {
      int kept = 0;
      for (int i = 0; i < readCount; i++) {
        if (clock[readStreams[i]] <= readEvents[i]) {
          readStreams[kept] = readStreams[i];
          readEvents[kept++] = readEvents[i];
        }
      }
      if (kept == readStreams.length) {
        readStreams = Arrays.copyOf(readStreams, kept * 2);
        readEvents = Arrays.copyOf(readEvents, kept * 2);
      }
      readStreams[kept] = stream;
      readEvents[kept] = event;
      readCount = kept + 1;
    }

    void checkWrite(int[] clock, Conflict conflict, long from, long to) {
      if (writeStream != NONE && clock[writeStream] <= writeEvent) {
        conflict.found(writeStream, writeEvent, true, from, to);
      }
    }

    void checkReads(int[] clock, Conflict conflict, long from, long to) {
      for (int i = 0; i < readCount; i++) {
        if (clock[readStreams[i]] <= readEvents[i]) {
          conflict.found(readStreams[i], readEvents[i], false, from, to);
        }
      }
    }
  }

  void read(long start, long end, int stream, int event, int[] clock, Conflict conflict) {
    if (start >= end) {
      return;
    }
    splitAt(start);
    splitAt(end);
    long at = start;
    while (at < end) {
      Map.Entry<Long, Span> next = spans.ceilingEntry(at);
      if (next == null || next.getKey() > at) {
        Span gap = new Span(at, next == null ? end : Math.min(end, next.getKey()));
        gap.addRead(stream, event, clock);
        spans.put(at, gap);
        at = gap.end;
      } else {
        Span span = next.getValue();
        span.checkWrite(clock, conflict, span.start, span.end);
        span.addRead(stream, event, clock);
        at = span.end;
      }
    }
  }

  void write(long start, long end, int stream, int event, int[] clock, Conflict conflict) {
    if (start >= end) {
      return;
    }
    splitAt(start);
    splitAt(end);
    Map.Entry<Long, Span> next = spans.ceilingEntry(start);
    while (next != null && next.getKey() < end) {
      Span span = next.getValue();
      span.checkWrite(clock, conflict, span.start, span.end);
      span.checkReads(clock, conflict, span.start, span.end);
      spans.remove(next.getKey());
      next = spans.ceilingEntry(start);
    }
    Span written = new Span(start, end);
    written.writeStream = stream;
    written.writeEvent = event;
    spans.put(start, written);
  }

  /** Looks for accesses that do not happen before an event, and adds none. */
  void check(int[] clock, Conflict conflict) {
    for (Span span : spans.values()) {
      span.checkWrite(clock, conflict, span.start, span.end);
      span.checkReads(clock, conflict, span.start, span.end);
    }
  }

  private void splitAt(long at) {
    Map.Entry<Long, Span> before = spans.lowerEntry(at);
    if (before != null && before.getValue().end > at) {
      spans.put(at, before.getValue().split(at));
    }
  }
}
