package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The refusals of every kernel, with scalars and with vectors, for two sources and for many. */
class KernelContractTest {

  private static final int BYTES = 1 << 12;

  static Stream<Arguments> kernels() {
    return Stream.of(DataType.values())
        .flatMap(type -> KernelResultsTest.kernels(type, ReduceOp.SUM).stream())
        .flatMap(kernel -> Stream.of(2, 3, 5).map(count -> Arguments.of(kernel, count)));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aClosedArenaIsRefused(ReduceKernel kernel, int count) {
    try (Arena open = Arena.ofShared()) {
      MemorySegment[] sources = segments(open, count);
      Arena closed = Arena.ofShared();
      MemorySegment gone = closed.allocate(BYTES);
      closed.close();

      assertThatIllegalStateException().isThrownBy(() -> reduce(kernel, gone, sources));
      sources[count - 1] = gone;
      MemorySegment dst = open.allocate(BYTES);
      assertThatIllegalStateException().isThrownBy(() -> reduce(kernel, dst, sources));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void memoryOfAnotherThreadIsRefused(ReduceKernel kernel, int count) {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment[] sources = segments(confined, count);
      MemorySegment dst = confined.allocate(BYTES);

      assertThatExceptionOfType(CompletionException.class)
          .isThrownBy(() -> CompletableFuture.runAsync(() -> reduce(kernel, dst, sources)).join())
          .withCauseInstanceOf(WrongThreadException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aRangeOutsideASegmentIsRefused(ReduceKernel kernel, int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] sources = segments(arena, count);
      MemorySegment dst = arena.allocate(BYTES);
      sources[count - 1] = sources[count - 1].asSlice(0, BYTES - 8);

      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> reduce(kernel, dst, sources));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aReadOnlyDestinationIsRefused(ReduceKernel kernel, int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] sources = segments(arena, count);
      MemorySegment dst = arena.allocate(BYTES).asReadOnly();

      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> reduce(kernel, dst, sources))
          .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void memoryOnTheHeapIsRefused(ReduceKernel kernel, int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] sources = segments(arena, count);
      MemorySegment dst = MemorySegment.ofArray(new byte[BYTES]);

      assertThatExceptionOfType(ClassCastException.class)
          .isThrownBy(() -> reduce(kernel, dst, sources));
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void noBytesAreNoWork(ReduceKernel kernel, int count) {
    MemorySegment[] sources = new MemorySegment[count];
    List.of(0, 1, count)
        .forEach(
            from -> {
              kernel.reduceFrom(
                  MemorySegment.NULL,
                  0,
                  padded(sources, from),
                  new long[from + count],
                  from,
                  count,
                  0);
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void oneSourceIsCopied(ReduceKernel kernel, int from) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] sources = segments(arena, from + 1);
      sources[from].fill((byte) 7);
      MemorySegment dst = arena.allocate(BYTES);

      kernel.reduceFrom(dst, 0, sources, new long[from + 1], from, 1, BYTES);

      assertThat(dst.mismatch(sources[from])).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aLengthIsNotNegative(ReduceKernel kernel, int count) {
    MemorySegment[] sources = new MemorySegment[count];

    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(
            () -> kernel.reduceFrom(MemorySegment.NULL, 0, sources, new long[count], 0, count, -8))
        .withMessageContaining("Actual: bytes=-8, type=")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void thereIsAtLeastOneSource(ReduceKernel kernel, int count) {
    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(
            () ->
                kernel.reduceFrom(
                    MemorySegment.NULL, 0, new MemorySegment[0], new long[0], 0, 2 - count, 8))
        .withMessage("a reduction needs at least one source. Actual: count=" + (2 - count));
  }

  private static MemorySegment[] padded(MemorySegment[] sources, int from) {
    MemorySegment[] padded = new MemorySegment[from + sources.length];
    System.arraycopy(sources, 0, padded, from, sources.length);
    return padded;
  }

  private static MemorySegment[] segments(Arena arena, int count) {
    return Stream.generate(() -> arena.allocate(BYTES, ValueLayout.JAVA_LONG.byteSize()))
        .limit(count)
        .toArray(MemorySegment[]::new);
  }

  private static void reduce(ReduceKernel kernel, MemorySegment dst, MemorySegment[] sources) {
    kernel.reduceFrom(dst, 0, sources, new long[sources.length], 0, sources.length, BYTES);
  }
}
