package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelsTest {

  /** Longer than the compiler takes on any busy machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @Test
  void aPairHasOneKernel() {
    assertThat(Kernels.of(DataType.INT32, ReduceOp.SUM))
        .isSameAs(Kernels.of(DataType.INT32, ReduceOp.SUM))
        .isNotSameAs(Kernels.of(DataType.INT32, ReduceOp.MAX));
  }

  @Test
  void aReductionThatDoesNotTakeTheTypeIsRefused() {
    assertThatExceptionOfType(TuttiException.class)
        .isThrownBy(() -> Kernels.of(DataType.FLOAT16, ReduceOp.BXOR))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_TYPE));
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT32", "BFLOAT16"})
  void aWarmKernelAllocatesNothing(DataType type) {
    ReduceKernel kernel = Kernels.of(type, ReduceOp.SUM);
    assertThat(Kernels.warm(type, ReduceOp.SUM, PATIENCE)).isTrue();
    MemorySegment[] segments =
        Stream.generate(() -> Arena.ofAuto().allocate(1 << 14, 64))
            .limit(6)
            .toArray(MemorySegment[]::new);
    long[] offsets = new long[segments.length];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    // The last compilation may be late on a busy machine.
    long allocated = Long.MAX_VALUE;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (allocated > 0 && System.nanoTime() < end) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int length = 8; length <= 1 << 14; length *= 2) {
        for (int count = 2; count <= 5; count++) {
          kernel.reduceFrom(segments[5], 0, segments, offsets, 0, count, length);
        }
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }

    assertThat(allocated).isZero();
  }

  @Test
  void waitingForWarmthStopsAtTheTimeout() {
    Kernels.of(DataType.UINT16, ReduceOp.PROD);

    assertThat(Kernels.warm(DataType.UINT16, ReduceOp.PROD, Duration.ZERO)).isFalse();
  }

  @Test
  void aCopyMovesExactlyItsBytes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment src = arena.allocate(300);
      for (int i = 0; i < 300; i++) {
        src.set(ValueLayout.JAVA_BYTE, i, (byte) i);
      }
      for (int bytes = 0; bytes <= 200; bytes++) {
        MemorySegment dst = arena.allocate(300);

        Kernels.copy(dst, 5, src, 11, bytes);

        assertThat(dst.asSlice(5, bytes).mismatch(src.asSlice(11, bytes))).isEqualTo(-1);
        assertThat(dst.asSlice(0, 5).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(dst.asSlice(5 + bytes).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      }
    }
  }

  @Test
  void aJvmWithoutTheVectorModuleReducesWithScalars() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                places(WithoutVectors.class, Kernels.class, DataType.class, Nullable.class),
                WithoutVectors.class.getName())
            .redirectErrorStream(true)
            .start();

    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output.strip()).isEqualTo("true 3.5");
  }

  /** The program of a JVM that was started without the vector module. */
  static final class WithoutVectors {
    public static void main(String[] arguments) {
      boolean warm = Kernels.warm(DataType.FLOAT32, ReduceOp.SUM, Duration.ZERO);
      MemorySegment sum = Arena.global().allocateFrom(ValueLayout.JAVA_FLOAT, 1.25f);
      MemorySegment other = Arena.global().allocateFrom(ValueLayout.JAVA_FLOAT, 2.25f);
      Kernels.of(DataType.FLOAT32, ReduceOp.SUM).reduce(sum, 0, other, 0, 4);
      System.out.println(warm + " " + sum.get(ValueLayout.JAVA_FLOAT, 0));
    }
  }

  private static String places(Class<?>... classes) {
    Set<String> places = new LinkedHashSet<>();
    for (Class<?> type : classes) {
      places.add(
          new File(type.getProtectionDomain().getCodeSource().getLocation().getPath()).getPath());
    }
    return places.stream().collect(Collectors.joining(File.pathSeparator));
  }
}
