package dev.tutti.engine.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Combines one element after another; needs only the base module. Used as a hidden copy. */
final class ScalarLanes extends Lanes {

  /** The data of a copy: the element and its size in bytes. */
  record Data(Element element, int size) {}

  private static final Data DATA = HiddenCopy.dataOf(MethodHandles.lookup(), Data.class);
  private static final Element ELEMENT = DATA.element();
  private static final int SIZE = DATA.size();

  @Override
  void combine(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    MemorySegment left = NATIVE.cast(a);
    MemorySegment right = NATIVE.cast(b);
    int i = 0;
    do {
      long value =
          ELEMENT.combine(ELEMENT.load(left, aOffset + i), ELEMENT.load(right, bOffset + i));
      ELEMENT.store(to, dstOffset + i, value);
      i += SIZE;
    } while (i < bytes);
  }

  @Override
  void fold(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      int bytes) {
    MemorySegment to = NATIVE.cast(dst);
    for (int i = 0; i < bytes; i += SIZE) {
      long at = shift + i;
      long value = ELEMENT.load(NATIVE.cast(sources[from]), offsets[from] + at);
      for (int s = from + 1; s < from + count; s++) {
        MemorySegment source = NATIVE.cast(sources[s]);
        value = ELEMENT.combine(value, ELEMENT.load(source, offsets[s] + at));
      }
      ELEMENT.store(to, dstOffset + i, value);
    }
  }
}
