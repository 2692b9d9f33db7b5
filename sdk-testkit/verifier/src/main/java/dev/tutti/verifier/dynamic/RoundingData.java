package dev.tutti.verifier.dynamic;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.verifier.data.TestData;
import dev.tutti.verifier.element.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Floating-point inputs whose sums and products round, so that two orders of operands give
 * different bits. The other test data is exact in every order, and cannot show such differences.
 */
final class RoundingData {

  private RoundingData() {}

  /** Whether a reduction of a type rounds. */
  static boolean exists(DataType type, @Nullable ReduceOp op) {
    return !type.isInteger() && (op == ReduceOp.SUM || op == ReduceOp.PROD);
  }

  /**
   * Fills a whole segment: with numbers of either sign from 1/16 to 16 for sums, and from 3/4 to
   * 5/4 for products.
   */
  static void fill(MemorySegment segment, DataType type, @Nullable ReduceOp op, long seed) {
    Block block = new Block();
    long count = segment.byteSize() / type.size();
    for (long done = 0; done < count; done += Block.SIZE) {
      int n = (int) Math.min(Block.SIZE, count - done);
      for (int i = 0; i < n; i++) {
        long bits = TestData.mix(TestData.mix(seed) + (done + i) * 0x9E3779B97F4A7C15L);
        double unit = (bits >>> 11) * 0x1p-53;
        double size =
            op == ReduceOp.PROD ? 0.75 + unit / 2 : Math.scalb(1 + unit, (int) ((bits & 7) - 4));
        block.reals[i] = (bits & 8) == 0 ? size : -size;
      }
      block.store(type, segment, done * type.size(), n);
    }
  }
}
