package dev.tutti.plugins.direct;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.DeviceMem;

/**
 * Direct exclusive scan: every rank computes one slice of the results of all ranks, over direct
 * links.
 *
 * <p>Source: the slices of vLLM's custom all-reduce (two-shot), with a scan in place of the sum.
 * Cost for p ranks and n bytes: {@code 2(p-1)α + 2(p-1)/p·nβ + (p-2)/p·nγ} in shared memory. If all
 * ranks share one port, it takes more than that; the plan shows how much.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Each rank scans one slice for all over direct links: no rank waits for a result",
    source = "vLLM custom all-reduce, two-shot, with a scan in place of the sum",
    formula = "2(p-1)α + 2(p-1)/p·nβ + (p-2)/p·nγ, more β if ranks share a port")
public final class DirectExclusiveScan extends DirectPrefix<ExclusiveScanParam> {

  private static final int SLOTS = 2;

  @Override
  DataType dataType(ExclusiveScanParam param) {
    return param.dataType();
  }

  @Override
  ReduceOp reduceOp(ExclusiveScanParam param) {
    return param.reduceOp();
  }

  /**
   * Scratch memory for sums: in place, writing a rank's output destroys its input, so the sum with
   * that input is computed first.
   */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    int sums = param.comm().rankSize() - (param.comm().rank() == 0 ? 2 : 1);
    return Math.clamp(sums, 0, SLOTS) * sliceBytes(param);
  }

  @Override
  void scan(ExclusiveScanParam param, Walk walk) {
    if (walk.ranks() == 1) {
      return;
    }
    DeviceMem sum = walk.first();
    for (int rank = 1; rank < walk.ranks(); rank++) {
      DeviceMem result = sum;
      if (rank + 1 < walk.ranks()) {
        sum = walk.scratch(result.equals(walk.scratch(0)) ? 1 : 0);
        walk.combine(sum, result, rank);
      }
      walk.put(rank, result);
    }
  }
}
