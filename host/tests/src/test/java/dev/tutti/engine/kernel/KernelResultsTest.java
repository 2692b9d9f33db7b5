package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Scalars, vectors and an independent reference agree on every type and reduction. */
class KernelResultsTest {

  private static final int[] ELEMENTS = {
    1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 1000, 4099
  };
  private static final int[] SOURCES = {2, 3, 4, 5, 9};

  /** What one test has brought to compiled code, the next one need not. */
  private static final Map<List<Enum<?>>, List<AdaptiveKernel>> KERNELS = new HashMap<>();

  static Stream<Arguments> pairs() {
    return Stream.of(DataType.values())
        .flatMap(
            type ->
                Stream.of(ReduceOp.values())
                    .filter(op -> op.supports(type))
                    .map(op -> Arguments.of(type, op)));
  }

  /** Each type with one of its reductions, for tests of lengths and not of arithmetic. */
  static Stream<Arguments> types() {
    return Stream.of(DataType.values())
        .map(
            type ->
                Arguments.of(
                    type,
                    Stream.of(ReduceOp.values())
                        .filter(op -> op.supports(type))
                        .findFirst()
                        .orElseThrow()));
  }

  static List<AdaptiveKernel> kernels(DataType type, ReduceOp op) {
    return KERNELS.computeIfAbsent(List.of(type, op), pair -> newKernels(type, op));
  }

  private static List<AdaptiveKernel> newKernels(DataType type, ReduceOp op) {
    Lanes scalar = Kernels.scalar(type, op);
    List<AdaptiveKernel> kernels = new ArrayList<>();
    kernels.add(new AdaptiveKernel(type, op, Lanes.ofAllSizes(scalar)));
    Lanes[] fast =
        type == DataType.FLOAT16 ? Kernels.float16(op, scalar) : VectorFactory.of(type, op, scalar);
    kernels.add(new AdaptiveKernel(type, op, fast));
    return kernels;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyLengthAndNumberOfSourcesGivesTheReferenceBits(DataType type, ReduceOp op) {
    List<AdaptiveKernel> kernels = kernels(type, op);
    for (int sources : SOURCES) {
      for (int elements : ELEMENTS) {
        try (Arena arena = Arena.ofShared()) {
          Operands operands = new Operands(arena, type, sources, elements, elements % 4);
          long[] wanted = wanted(type, op, operands, elements);
          for (AdaptiveKernel kernel : kernels) {
            check(type, wanted, operands.reduceWith(kernel), sources);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theDestinationMayBeAnyOfTheSources(DataType type, ReduceOp op) {
    List<AdaptiveKernel> kernels = kernels(type, op);
    for (int sources : SOURCES) {
      for (int elements : new int[] {3, 100, 331, 4100}) {
        try (Arena arena = Arena.ofShared()) {
          Operands operands = new Operands(arena, type, sources, elements, 0);
          long[] wanted = wanted(type, op, operands, elements);
          for (AdaptiveKernel kernel : kernels) {
            int step = elements < 1000 ? 1 : sources - 1;
            for (int target = 0; target < sources; target += step) {
              check(type, wanted, operands.reduceIntoSource(kernel, target), sources);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void memoryConfinedToTheThreadGivesTheSameBits(DataType type, ReduceOp op) {
    List<AdaptiveKernel> kernels = kernels(type, op);
    for (int sources : SOURCES) {
      try (Arena arena = Arena.ofConfined()) {
        Operands operands = new Operands(arena, type, sources, 1001, 1);
        long[] wanted = wanted(type, op, operands, 1001);
        for (AdaptiveKernel kernel : kernels) {
          check(type, wanted, operands.reduceWith(kernel), sources);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void piecesJoinWithoutASeam(DataType type, ReduceOp op) {
    int elements = Lanes.MAX_BYTES / type.size() + 77;
    for (AdaptiveKernel kernel : kernels(type, op)) {
      for (int sources : new int[] {2, 5}) {
        try (Arena arena = Arena.ofShared()) {
          Operands operands = new Operands(arena, type, sources, elements, 2);
          byte[] result = operands.reduceWith(kernel);
          int seam = Lanes.MAX_BYTES / type.size();
          for (int i = seam - 80; i < elements; i++) {
            assertThat(Reference.canonical(type, result, i))
                .as("element %d of %d sources", i, sources)
                .isEqualTo(Reference.fold(type, op, operands.content(), i));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void reduceIsAFoldOfTheDestinationAndTheSource(DataType type, ReduceOp op) {
    for (AdaptiveKernel kernel : kernels(type, op)) {
      try (Arena arena = Arena.ofShared()) {
        Operands operands = new Operands(arena, type, 2, 777, 3);
        long[] wanted = wanted(type, op, operands, 777);
        check(type, wanted, operands.reduceWith(kernel), 2);
        kernel.reduce(
            operands.sources[0],
            operands.offsets[0],
            operands.sources[1],
            operands.offsets[1],
            777L * type.size());
        byte[] result =
            operands
                .sources[0]
                .asSlice(operands.offsets[0])
                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        check(type, wanted, result, 2);
      }
    }
  }

  /**
   * Vectors of one lane are never compiled, so a kernel would try them for a long time without
   * success.
   */
  @ParameterizedTest
  @EnumSource(value = DataType.class, names = "FLOAT16", mode = EnumSource.Mode.EXCLUDE)
  void aLengthHasVectorsIfTheyHaveSeveralLanes(DataType type) {
    Lanes scalar = Kernels.scalar(type, ReduceOp.SUM);
    Lanes[] lanes = VectorFactory.of(type, ReduceOp.SUM, scalar);

    for (int size = 1; size < lanes.length; size++) {
      if (Lanes.sizeOf(size) <= type.size()) {
        assertThat(lanes[size]).isSameAs(scalar);
      } else if (size > 1) {
        assertThat(lanes[size]).isNotSameAs(scalar);
      }
    }
  }

  /** The reference result for the operands: slow, and the same for every kernel. */
  private static long[] wanted(DataType type, ReduceOp op, Operands operands, int elements) {
    long[] wanted = new long[elements];
    Arrays.setAll(wanted, i -> Reference.fold(type, op, operands.content(), i));
    return wanted;
  }

  private static void check(DataType type, long[] wanted, byte[] result, int sources) {
    assertThat(result).hasSize(wanted.length * type.size());
    for (int i = 0; i < wanted.length; i++) {
      long actual = Reference.canonical(type, result, i);
      if (actual != wanted[i]) {
        assertThat(Long.toHexString(actual))
            .as("element %d of %d, %d sources", i, wanted.length, sources)
            .isEqualTo(Long.toHexString(wanted[i]));
      }
    }
  }
}
