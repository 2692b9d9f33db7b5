package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamingSumTest {

  private static final int BYTES = 4096;

  @BeforeEach
  void needsMachineCode() {
    assumeTrue(StreamingCopy.isAvailable());
  }

  /** Random bits, but no NaNs, whose payload is not specified. */
  private static MemorySegment random(Arena arena, DataType type, long seed) {
    MemorySegment memory = arena.allocate(BYTES + 64, 64);
    Random random = new Random(seed);
    for (long at = 0; at < memory.byteSize(); at += type.size()) {
      switch (type) {
        case FLOAT32 -> memory.set(ValueLayout.JAVA_FLOAT, at, random.nextFloat() - 0.5f);
        case FLOAT64 -> memory.set(ValueLayout.JAVA_DOUBLE, at, random.nextGaussian());
        default -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      }
    }
    return memory;
  }

  private static final EnumSet<DataType> CONVERTED =
      EnumSet.of(DataType.FLOAT16, DataType.BFLOAT16);

  static List<Arguments> forms() {
    List<Arguments> all = new ArrayList<>();
    for (DataType type : EnumSet.complementOf(CONVERTED)) {
      for (int sources = 2; sources <= StreamingSum.MOST_OF_EACH; sources++) {
        for (int places = 1; places <= StreamingSum.MOST_OF_EACH; places++) {
          all.add(Arguments.of(type, sources, places));
        }
      }
    }
    return all;
  }

  private static void sum(StreamingSum sum, long[] offsets, long bytes, MemorySegment... used) {
    MemorySegment[] memories = Arrays.copyOf(used, StreamingSum.MOST);
    Arrays.fill(memories, used.length, StreamingSum.MOST, MemorySegment.NULL);
    sum.sum(memories, Arrays.copyOf(offsets, StreamingSum.MOST), bytes);
  }

  private static StreamingSum ints(int sources, int places) {
    return Kernels.of(DataType.INT32, ReduceOp.SUM).streamingSum(sources, places);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void hasTheBitsOfTheKernelAndTouchesNothingElse(DataType type, int sources, int places) {
    ReduceKernel kernel = Kernels.of(type, ReduceOp.SUM);
    StreamingSum sum = kernel.streamingSum(sources, places);
    MemorySegment[] memories = new MemorySegment[sources + places];
    long[] offsets = new long[sources + places];
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < sources; i++) {
        memories[i] = random(arena, type, i);
        offsets[i] = 8L * i;
      }
      for (int i = sources; i < memories.length; i++) {
        memories[i] = arena.allocate(BYTES + 64, 64).fill((byte) 7);
        offsets[i] = (i & 1) * 32;
      }
      MemorySegment expected = arena.allocate(BYTES + 64, 64);
      kernel.reduceFrom(expected, 0, memories, offsets, 0, sources, BYTES);
      sum(sum, offsets, BYTES, memories);
      for (int i = sources; i < memories.length; i++) {
        MemorySegment whole = arena.allocate(BYTES + 64, 64).fill((byte) 7);
        MemorySegment.copy(expected, 0, whole, offsets[i], BYTES);
        assertThat(memories[i].mismatch(whole)).as("place %d", i - sources).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void placesMayBeSources(DataType type, int sources, int places) {
    ReduceKernel kernel = Kernels.of(type, ReduceOp.SUM);
    MemorySegment[] memories = new MemorySegment[sources + places];
    long[] offsets = new long[sources + places];
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < memories.length; i++) {
        memories[i] = i < sources ? random(arena, type, i) : memories[(i - sources) % sources];
      }
      MemorySegment expected = arena.allocate(BYTES, 64);
      kernel.reduceFrom(expected, 0, memories, offsets, 0, sources, BYTES);
      sum(kernel.streamingSum(sources, places), offsets, BYTES, memories);
      for (int i = sources; i < memories.length; i++) {
        assertThat(memories[i].asSlice(0, BYTES).mismatch(expected)).isEqualTo(-1);
      }
    }
  }

  @Test
  void onlySumsOfWhatIsAddedAsItIsStored() {
    assertThat(Kernels.of(DataType.FLOAT32, ReduceOp.MAX).streamingSum(2, 1)).isNull();
    for (DataType type : CONVERTED) {
      assertThat(Kernels.of(type, ReduceOp.SUM).streamingSum(2, 1)).isNull();
    }
    assertThat(Kernels.dividing(DataType.FLOAT32, 2).streamingSum(2, 1)).isNull();
    assertThat(ints(2, StreamingSum.MOST_OF_EACH + 1)).as("too many places").isNull();
    assertThat(ints(StreamingSum.MOST_OF_EACH + 1, 1)).as("too many sources").isNull();
    assertThat(ints(2, 1)).isSameAs(ints(2, 1));
  }

  @Test
  void beginsWhereTheDestinationIsAligned() {
    StreamingSum sum = ints(2, 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment dst = arena.allocate(128, 64);
      assertThat(sum.head(dst, 0)).isZero();
      assertThat(sum.head(dst, 4)).isEqualTo(28);
      assertThat(sum.head(dst, 3)).as("between two elements").isEqualTo(-1);
      assertThat(sum.head(dst.asReadOnly(), 0)).isEqualTo(-1);
      assertThat(sum.head(MemorySegment.ofArray(new byte[128]), 0)).isEqualTo(-1);
    }
  }

  @Test
  void refusesWhatIsOutsideOrFreed() {
    Arena freed = Arena.ofShared();
    MemorySegment gone = freed.allocate(BYTES, 64);
    freed.close();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment small = arena.allocate(BYTES - 128, 64);
      MemorySegment large = arena.allocate(BYTES, 64);
      for (int wrong = 0; wrong < StreamingSum.MOST; wrong++) {
        MemorySegment[] memories = new MemorySegment[StreamingSum.MOST];
        Arrays.fill(memories, large);
        memories[wrong] = small;
        refuses(memories, IndexOutOfBoundsException.class);
        memories[wrong] = gone;
        refuses(memories, IllegalStateException.class);
      }
    }
  }

  private static void refuses(MemorySegment[] memories, Class<? extends Exception> expected) {
    StreamingSum sum = ints(StreamingSum.MOST_OF_EACH, StreamingSum.MOST_OF_EACH);
    assertThatThrownBy(() -> sum.sum(memories, new long[memories.length], BYTES))
        .isInstanceOf(expected);
  }
}
