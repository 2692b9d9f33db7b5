package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT16", "BFLOAT16"},
      mode = EnumSource.Mode.EXCLUDE)
  void hasTheBitsOfTheKernelAndTouchesNothingElse(DataType type) {
    ReduceKernel kernel = Kernels.of(type, ReduceOp.SUM);
    StreamingSum sum = kernel.streamingSum();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = random(arena, type, 1);
      MemorySegment b = random(arena, type, 2);
      MemorySegment expected = arena.allocate(BYTES + 64, 64).fill((byte) 7);
      MemorySegment[] sources = {a, b};
      kernel.reduceFrom(expected, 32, sources, new long[] {8, 16}, 0, 2, BYTES);
      MemorySegment one = arena.allocate(BYTES + 64, 64).fill((byte) 7);
      sum.sum(one, 32, a, 8, b, 16, BYTES);
      assertThat(one.mismatch(expected)).isEqualTo(-1);

      MemorySegment first = arena.allocate(BYTES + 64, 64).fill((byte) 7);
      MemorySegment second = arena.allocate(BYTES + 64, 64).fill((byte) 7);
      sum.sum(first, 32, second, 32, a, 8, b, 16, BYTES);
      assertThat(first.mismatch(expected)).isEqualTo(-1);
      assertThat(second.mismatch(expected)).isEqualTo(-1);

      MemorySegment copy = arena.allocate(BYTES + 64, 64).copyFrom(a);
      MemorySegment inPlace = arena.allocate(BYTES + 64, 64).fill((byte) 7);
      kernel.reduceFrom(inPlace, 0, sources, new long[2], 0, 2, BYTES);
      sum.sum(a, 0, b, 0, copy, 0, b, 0, BYTES);
      assertThat(a.asSlice(0, BYTES).mismatch(inPlace.asSlice(0, BYTES))).isEqualTo(-1);
      assertThat(b.asSlice(0, BYTES).mismatch(inPlace.asSlice(0, BYTES))).isEqualTo(-1);
    }
  }

  @Test
  void onlySumsOfWhatIsAddedAsItIsStored() {
    assertThat(Kernels.of(DataType.FLOAT32, ReduceOp.MAX).streamingSum()).isNull();
    assertThat(Kernels.of(DataType.BFLOAT16, ReduceOp.SUM).streamingSum()).isNull();
    assertThat(Kernels.dividing(DataType.FLOAT32, 2).streamingSum()).isNull();
  }

  @Test
  void beginsWhereTheDestinationIsAligned() {
    StreamingSum sum = Kernels.of(DataType.INT32, ReduceOp.SUM).streamingSum();
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
    StreamingSum sum = Kernels.of(DataType.INT32, ReduceOp.SUM).streamingSum();
    Arena freed = Arena.ofShared();
    MemorySegment gone = freed.allocate(BYTES, 64);
    freed.close();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment small = arena.allocate(BYTES - 128, 64);
      MemorySegment large = arena.allocate(BYTES, 64);
      assertThatThrownBy(() -> sum.sum(small, 0, large, 0, large, 0, BYTES))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sum.sum(large, 0, small, 0, large, 0, large, 0, BYTES))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sum.sum(large, 0, large, 0, small, 0, BYTES))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sum.sum(large, 0, large, 0, gone, 0, BYTES))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> sum.sum(large, 0, gone, 0, large, 0, large, 0, BYTES))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
