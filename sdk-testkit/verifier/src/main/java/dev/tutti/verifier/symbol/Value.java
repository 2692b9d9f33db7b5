package dev.tutti.verifier.symbol;

import dev.tutti.verifier.data.TestData;

/**
 * The symbolic value of a run of bytes, in three longs: sum, tree and meta.
 *
 * <p>A SOUND value is one input element, or a reduction of elements at the same place in their
 * inputs, all by the operation's type and reduction. A BROKEN value is any other: no later action
 * can make a right result from it.
 */
final class Value {

  /*
   * sum   SOUND: the sum, modulo 2^64, of a random number for every rank whose element is in the
   *       value. BROKEN: the reasons, as flags. MIXED: the number of the run's list of values.
   * tree  SOUND: a hash of the expression: the rank's random number, or a mix of the sum of the
   *       operands' hashes. The sum makes a+b and b+a equal, because their bits are equal. If all
   *       associations give the same bits, every reduction has hash 0.
   * meta  bits 0-1: the state. SOUND: bits 2-19 are the number of elements in the value, and bits
   *       20-63 are the place of the run's first byte in the inputs.
   *
   * Every result of an operation reduces elements at the same place in their inputs. So one place
   * for all operands is enough, and a run can be cut and moved without a change of its sum. The
   * count saturates at its largest number. It detects an element that is in a sum 2^64+1 times,
   * which the sum alone cannot. Two different selections of elements have the same sum and count
   * with a probability below 2^-46, and of 2^-64 for the differences that faults cause.
   */

  /** Not written yet: an input element, or undefined memory. */
  static final int INITIAL = 0;

  static final int SOUND = 1;
  static final int BROKEN = 2;

  /** Values that differ within the run; only in a record of {@link Contents}. */
  static final int MIXED = 3;

  /** BROKEN: undefined memory is an operand. */
  static final int UNDEFINED = 1;

  /** BROKEN: reduced as another type, or with another reduction, than the operation asks for. */
  static final int REDUCTION = 2;

  /** BROKEN: elements from different places in their inputs are reduced with each other. */
  static final int SHIFTED = 4;

  /** BROKEN: an operand of a reduction consists of parts of different elements. */
  static final int TORN = 8;

  private static final int COUNT_SHIFT = 2;
  private static final int PLACE_SHIFT = 20;
  private static final long COUNT_MASK = (1L << PLACE_SHIFT) - (1L << COUNT_SHIFT);
  private static final int MAX_COUNT = (int) (COUNT_MASK >>> COUNT_SHIFT);

  /** The limit on the size of an input in bytes: smaller places fit in the meta. */
  static final long MAX_PLACE = 1L << (64 - PLACE_SHIFT);

  private static final long ROUNDED = 0x5851F42D4C957F2DL;

  private Value() {}

  /** The random number of a rank. */
  static long ofRank(int rank) {
    return TestData.mix((rank + 1L) * 0x9E3779B97F4A7C15L);
  }

  static int state(long meta) {
    return (int) meta & 3;
  }

  static boolean isSound(long meta) {
    return (meta & 3) == SOUND;
  }

  /** The meta of a sound value of {@code count} elements at {@code place}. */
  static long sound(long place, int count) {
    return (place << PLACE_SHIFT) | ((long) Math.min(count, MAX_COUNT) << COUNT_SHIFT) | SOUND;
  }

  /** The place of a sound value in the inputs, in bytes. */
  static long place(long meta) {
    return meta >>> PLACE_SHIFT;
  }

  /** The number of elements in a sound value. */
  static int count(long meta) {
    return (int) (meta & COUNT_MASK) >>> COUNT_SHIFT;
  }

  /** The meta of the same value some bytes later. */
  static long advance(long meta, long bytes) {
    return isSound(meta) ? meta + (bytes << PLACE_SHIFT) : meta;
  }

  /** Whether two sound values have the same place. */
  static boolean areAligned(long meta, long other) {
    return (meta ^ other) >>> PLACE_SHIFT == 0;
  }

  /** The meta of the reduction of two aligned sound values. */
  static long join(long meta, long other) {
    long count = (meta & COUNT_MASK) + (other & COUNT_MASK);
    return (meta & ~COUNT_MASK) | Math.min(count, COUNT_MASK);
  }

  /** The tree of a reduction. */
  static long joinTrees(long tree, long other) {
    return TestData.mix(tree + other);
  }

  /** The tree of a rounded value. */
  static long rounded(long tree) {
    return TestData.mix(tree ^ ROUNDED);
  }
}
