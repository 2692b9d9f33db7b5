package dev.tutti.engine;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** The kernels one plan uses, numbered in the order of their first use. */
final class KernelTable {

  private final IdentityHashMap<RankPlan, Integer> divisors;
  private final List<Key> keys = new ArrayList<>();
  private final List<ReduceKernel> kernels = new ArrayList<>();

  /** The kernels as an array, which all plans made from one plan share. */
  private ReduceKernel[] array = {};

  private record Key(DataType type, ReduceOp op, int divisor) {
    ReduceKernel kernel() {
      return divisor == 0 ? Kernels.of(type, op) : Kernels.dividing(type, divisor);
    }
  }

  /** An empty table, for plans that divide nothing. */
  KernelTable() {
    this(new IdentityHashMap<>());
  }

  /**
   * An empty table.
   *
   * @param divisors the divisors of plans that divide instead of reducing, by identity
   */
  KernelTable(IdentityHashMap<RankPlan, Integer> divisors) {
    this.divisors = divisors;
  }

  /** The kernel of an action that reduces. */
  byte index(RankPlan plan, int action) {
    int divisor = divisors.isEmpty() ? 0 : divisors.getOrDefault(plan, 0);
    Key key = new Key(plan.dataType(action), plan.reduceOp(action), divisor);
    int found = keys.indexOf(key);
    if (found < 0) {
      found = keys.size();
      keys.add(key);
      kernels.add(key.kernel());
    }
    return (byte) found;
  }

  ReduceKernel[] toArray() {
    if (array.length < kernels.size()) {
      array = kernels.toArray(ReduceKernel[]::new);
    }
    return array;
  }
}
