package dev.tutti.host;

import java.lang.foreign.MemorySegment;

/** Bytes that are copied before or after a run, because peers cannot reach them where they are. */
record BufferCopy(MemorySegment from, MemorySegment to) {

  boolean isLike(BufferCopy other) {
    return Segments.isSameView(from, other.from) && Segments.isSameView(to, other.to);
  }

  void run() {
    MemorySegment.copy(from, 0, to, 0, to.byteSize());
  }
}
