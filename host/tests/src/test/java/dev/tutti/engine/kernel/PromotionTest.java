package dev.tutti.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A kernel uses faster lanes only if they allocate nothing. */
class PromotionTest {

  private static final int UNCOMPILED_RUNS = 10_000;

  private final Lanes scalar = Kernels.scalar(DataType.FLOAT32, ReduceOp.SUM);
  private final AdaptiveKernel kernel =
      new AdaptiveKernel(DataType.FLOAT32, ReduceOp.SUM, Lanes.ofAllSizes(scalar));
  private final List<Copy> copies = new ArrayList<>();

  @Test
  void lanesThatAllocateNothingAreUsed() {
    promote(copy -> false);

    assertThat(copies).hasSize(1);
    assertThat(used(64)).isSameAs(copies.getFirst());
    assertThat(used(4)).isSameAs(copies.getFirst());
  }

  @Test
  void aCopyThatAllocatesIsReplacedByANewOne() {
    promote(copy -> copy < 2);

    assertThat(copies).hasSize(3);
    assertThat(used(64)).isSameAs(copies.getLast());
  }

  @Test
  void aKernelKeepsItsScalarsIfEachCopyAllocates() {
    promote(copy -> true);

    assertThat(copies).hasSizeBetween(2, 10);
    assertThat(used(64)).isNull();
  }

  private void promote(IntPredicate isWasteful) {
    new Promotion(
            kernel,
            Lanes.ofAllSizes(scalar),
            () -> {
              copies.add(new Copy(isWasteful.test(copies.size())));
              return Lanes.ofAllSizes(copies.getLast());
            })
        .run();
  }

  /** The copy that reduces a length; null if it is the scalars. */
  private @Nullable Copy used(int bytes) {
    copies.forEach(copy -> copy.isUsed = false);
    MemorySegment memory = Arena.ofAuto().allocate(bytes, 64);
    kernel.reduce(memory, 0, memory, 0, bytes);
    return copies.stream().filter(copy -> copy.isUsed).findAny().orElse(null);
  }

  /**
   * Does nothing, so it is faster than scalars. It allocates much in its first calls, like code
   * that is not compiled yet, and may allocate little for ever.
   */
  private final class Copy extends Lanes {

    private final boolean isWasteful;
    private byte @Nullable [] waste;
    private long runs;
    private boolean isUsed;

    Copy(boolean isWasteful) {
      this.isWasteful = isWasteful;
    }

    private void run() {
      runs++;
      isUsed = true;
      if (runs < UNCOMPILED_RUNS) {
        waste = new byte[1024];
      } else if (isWasteful) {
        waste = new byte[16];
      }
    }

    @Override
    void combine(
        MemorySegment dst,
        long dstOffset,
        MemorySegment a,
        long aOffset,
        MemorySegment b,
        long bOffset,
        int bytes) {
      run();
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
      run();
    }
  }
}
