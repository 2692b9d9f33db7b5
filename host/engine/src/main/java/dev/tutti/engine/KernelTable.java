package dev.tutti.engine;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.ArrayList;
import java.util.List;

/** The kernels one plan uses, numbered in the order in which they are first asked for. */
final class KernelTable {

  private final List<DataType> types = new ArrayList<>();
  private final List<ReduceOp> ops = new ArrayList<>();
  private final List<ReduceKernel> kernels = new ArrayList<>();

  byte index(DataType type, ReduceOp op) {
    for (int i = 0; i < kernels.size(); i++) {
      if (types.get(i) == type && ops.get(i) == op) {
        return (byte) i;
      }
    }
    types.add(type);
    ops.add(op);
    kernels.add(Kernels.of(type, op));
    return (byte) (kernels.size() - 1);
  }

  ReduceKernel[] toArray() {
    return kernels.toArray(ReduceKernel[]::new);
  }
}
