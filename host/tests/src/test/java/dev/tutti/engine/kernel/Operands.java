package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/** Sources of one reduction in native memory, each at its own offset, and a destination. */
final class Operands {

  private static final long SEED = 20251120;

  private final DataType type;

  /** As many elements are drawn, and repeat; no length of a piece is a multiple of it. */
  private static final int PERIOD = 4099;

  private final byte[][] content;
  private final int bytes;
  private final long dstOffset;
  final MemorySegment dst;
  final MemorySegment[] sources;
  final long[] offsets;

  /** Segments end where the last element ends, so that any access beyond it fails. */
  Operands(Arena arena, DataType type, int sources, int elements, int misalignment) {
    this.type = type;
    this.bytes = elements * type.size();
    this.dstOffset = misalignment;
    this.dst = arena.allocate(misalignment + bytes);
    this.sources = new MemorySegment[sources];
    this.offsets = new long[sources];
    this.content = new byte[sources][];
    Random random = new Random(SEED + elements);
    for (int s = 0; s < sources; s++) {
      content[s] = values(random, elements);
      offsets[s] = (long) misalignment * (s + 2);
      this.sources[s] = arena.allocate(offsets[s] + bytes);
      MemorySegment.copy(content[s], 0, this.sources[s], ValueLayout.JAVA_BYTE, offsets[s], bytes);
    }
  }

  byte[][] content() {
    return content;
  }

  /** The bytes of the destination after the reduction of all sources. */
  byte[] reduceWith(ReduceKernel kernel) {
    return reduceInto(kernel, dst, dstOffset);
  }

  /** The bytes of one of the sources after the reduction of all into it. */
  byte[] reduceIntoSource(ReduceKernel kernel, int source) {
    byte[] result = reduceInto(kernel, sources[source], offsets[source]);
    MemorySegment.copy(
        content[source], 0, sources[source], ValueLayout.JAVA_BYTE, offsets[source], bytes);
    return result;
  }

  private byte[] reduceInto(ReduceKernel kernel, MemorySegment target, long offset) {
    kernel.reduceFrom(target, offset, sources, offsets, 0, sources.length, bytes);
    return target.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE);
  }

  private byte[] values(Random random, int elements) {
    byte[] values = new byte[Math.min(elements, PERIOD) * type.size()];
    random.nextBytes(values);
    MemorySegment memory = MemorySegment.ofArray(values);
    for (int i = 0; i < values.length / type.size(); i++) {
      if (!type.isInteger() && random.nextInt(4) != 0) {
        put(memory, i, special(random));
      } else if (random.nextInt(8) == 0) {
        memory.asSlice((long) i * type.size(), type.size()).fill((byte) -random.nextInt(2));
      }
    }
    byte[] repeated = Arrays.copyOf(values, elements * type.size());
    for (int at = values.length; at < repeated.length; at += values.length) {
      System.arraycopy(values, 0, repeated, at, Math.min(values.length, repeated.length - at));
    }
    return repeated;
  }

  /** Values whose sums and products meet ties, overflow, underflow and every kind of NaN. */
  private static double special(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> Double.NEGATIVE_INFINITY;
      case 3 -> -0.0;
      case 4 -> 0.0;
      case 5 -> Math.scalb(1.0 + random.nextInt(8), -26 + random.nextInt(4));
      case 6 -> 65504.0 - 32 * random.nextInt(3);
      case 7 -> Math.scalb(1.0, -random.nextInt(14));
      default -> (random.nextInt(4096) - 2048) * (random.nextBoolean() ? 1 : 0.5);
    };
  }

  private void put(MemorySegment memory, int index, double value) {
    switch (type) {
      case FLOAT16 ->
          memory.set(
              ValueLayout.JAVA_SHORT_UNALIGNED, 2L * index, Float.floatToFloat16((float) value));
      case BFLOAT16 ->
          memory.set(
              ValueLayout.JAVA_SHORT_UNALIGNED,
              2L * index,
              (short) (Float.floatToIntBits((float) value) >>> 16));
      case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * index, (float) value);
      case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * index, value);
      default -> throw new AssertionError(type);
    }
  }
}
