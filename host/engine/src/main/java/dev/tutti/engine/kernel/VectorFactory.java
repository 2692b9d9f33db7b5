package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Makes the vectorised lanes. Must only be used if {@code jdk.incubator.vector} is present. */
final class VectorFactory {

  private VectorFactory() {}

  static int vectorBytes() {
    return ByteVector.SPECIES_PREFERRED.vectorByteSize();
  }

  /** The lanes of each size class of {@link Lanes#sizeClass}. */
  static Lanes[] of(DataType type, ReduceOp op, Lanes scalar) {
    return switch (type) {
      case FLOAT16 -> throw new IllegalArgumentException(type.label());
      case BFLOAT16 -> bfloat16(op, scalar);
      case INT8, UINT8 -> lanes(ByteVector.SPECIES_PREFERRED, type, op, scalar);
      case INT16, UINT16 -> lanes(ShortVector.SPECIES_PREFERRED, type, op, scalar);
      case INT32, UINT32 -> lanes(IntVector.SPECIES_PREFERRED, type, op, scalar);
      case INT64, UINT64 -> lanes(LongVector.SPECIES_PREFERRED, type, op, scalar);
      case FLOAT32 -> lanes(FloatVector.SPECIES_PREFERRED, type, op, scalar);
      case FLOAT64 -> lanes(DoubleVector.SPECIES_PREFERRED, type, op, scalar);
    };
  }

  @SuppressWarnings("unchecked")
  private static Lanes[] lanes(VectorSpecies<?> species, DataType type, ReduceOp op, Lanes scalar) {
    VectorOperators.Associative operator = operator(op, isUnsigned(type));
    Lanes[] lanes = Lanes.ofAllSizes(scalar);
    int first = type.size() == Lanes.sizeOf(1) ? 2 : 1; // no machine has vectors of one lane
    for (int size = first; size < lanes.length; size++) {
      int bits = Math.min(Lanes.sizeOf(size) * Byte.SIZE, species.vectorBitSize());
      var shaped = (VectorSpecies<Object>) species.withShape(VectorShape.forBitSize(bits));
      var data = new VectorLanes.Data(shaped, operator, scalar);
      lanes[size] = HiddenCopy.of(VectorLanes.class, data);
    }
    return lanes;
  }

  private static Lanes[] bfloat16(ReduceOp op, Lanes scalar) {
    VectorSpecies<Integer> ints = IntVector.SPECIES_PREFERRED;
    VectorSpecies<Float> floats = FloatVector.SPECIES_PREFERRED;
    Lanes[] lanes = Lanes.ofAllSizes(scalar);
    for (int size = 2; size < lanes.length; size++) { // vectors of 64 bits are slower than scalars
      int bits = Math.min(Lanes.sizeOf(size) * Byte.SIZE, ints.vectorBitSize());
      VectorShape shape = VectorShape.forBitSize(bits);
      lanes[size] =
          HiddenCopy.of(
              BFloat16Lanes.class,
              new BFloat16Lanes.Data(
                  ints.withShape(shape), floats.withShape(shape), operator(op, false), scalar));
    }
    return lanes;
  }

  private static VectorOperators.Associative operator(ReduceOp op, boolean unsigned) {
    return switch (op) {
      case SUM -> VectorOperators.ADD;
      case PROD -> VectorOperators.MUL;
      case MAX -> unsigned ? VectorOperators.UMAX : VectorOperators.MAX;
      case MIN -> unsigned ? VectorOperators.UMIN : VectorOperators.MIN;
      case BAND -> VectorOperators.AND;
      case BOR -> VectorOperators.OR;
      case BXOR -> VectorOperators.XOR;
    };
  }

  private static boolean isUnsigned(DataType type) {
    return switch (type) {
      case UINT8, UINT16, UINT32, UINT64 -> true;
      case INT8, INT16, INT32, INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> false;
    };
  }
}
