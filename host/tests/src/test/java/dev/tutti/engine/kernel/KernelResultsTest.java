package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Scalars, vectors and an independent reference agree on every type and reduction. */
class KernelResultsTest {

  private static final int[] ELEMENTS = {
    1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 1000, 4099
  };
  private static final int[] SOURCES = {2, 3, 4, 5, 9};

  static Stream<Arguments> pairs() {
    return Stream.of(DataType.values())
        .flatMap(
            type ->
                Stream.of(ReduceOp.values())
                    .filter(op -> op.supports(type))
                    .map(op -> Arguments.of(type, op)));
  }

  static List<AdaptiveKernel> kernels(DataType type, ReduceOp op) {
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
    for (AdaptiveKernel kernel : kernels(type, op)) {
      for (int sources : SOURCES) {
        for (int elements : ELEMENTS) {
          try (Arena arena = Arena.ofShared()) {
            Operands operands = new Operands(arena, type, sources, elements, elements % 4);
            check(type, op, operands.content(), operands.reduceWith(kernel), elements);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theDestinationMayBeAnyOfTheSources(DataType type, ReduceOp op) {
    for (AdaptiveKernel kernel : kernels(type, op)) {
      for (int sources : SOURCES) {
        for (int elements : new int[] {3, 100, 331, 4100}) {
          try (Arena arena = Arena.ofShared()) {
            Operands operands = new Operands(arena, type, sources, elements, 0);
            for (int target = 0; target < sources; target++) {
              byte[] result = operands.reduceIntoSource(kernel, target);
              check(type, op, operands.content(), result, elements);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void memoryConfinedToTheThreadGivesTheSameBits(DataType type, ReduceOp op) {
    for (AdaptiveKernel kernel : kernels(type, op)) {
      for (int sources : SOURCES) {
        try (Arena arena = Arena.ofConfined()) {
          Operands operands = new Operands(arena, type, sources, 1001, 1);
          check(type, op, operands.content(), operands.reduceWith(kernel), 1001);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
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
        byte[] wanted = operands.reduceWith(kernel);
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
        check(type, op, operands.content(), result, 777);
        check(type, op, operands.content(), wanted, 777);
      }
    }
  }

  private static void check(
      DataType type, ReduceOp op, byte[][] sources, byte[] result, int elements) {
    for (int i = 0; i < elements; i++) {
      long wanted = Reference.fold(type, op, sources, i);
      long actual = Reference.canonical(type, result, i);
      if (actual != wanted) {
        assertThat(Long.toHexString(actual))
            .as("element %d of %d, %d sources", i, elements, sources.length)
            .isEqualTo(Long.toHexString(wanted));
      }
    }
  }
}
