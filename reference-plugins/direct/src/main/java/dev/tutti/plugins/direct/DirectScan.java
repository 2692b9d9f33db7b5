package dev.tutti.plugins.direct;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.resource.DeviceMem;

/**
 * Direct scan: every rank computes one slice of the results of all ranks, over direct links.
 *
 * <p>Source: the slices of vLLM's custom all-reduce (two-shot), with a scan in place of the sum.
 * Cost for p ranks and n bytes: {@code 2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ} in shared memory. If all
 * ranks share one port, it takes more than that; the plan shows how much.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Each rank scans one slice for all over direct links: no rank waits for a result",
    source = "vLLM custom all-reduce, two-shot, with a scan in place of the sum",
    formula = "2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ, more β if ranks share a port")
public final class DirectScan extends DirectPrefix<ScanParam> {

  @Override
  DataType dataType(ScanParam param) {
    return param.dataType();
  }

  @Override
  ReduceOp reduceOp(ScanParam param) {
    return param.reduceOp();
  }

  @Override
  protected long calcScratchMemSize(ScanParam param) {
    return param.comm().rankSize() == 1 ? 0 : sliceBytes(param);
  }

  @Override
  void scan(ScanParam param, Walk walk) {
    DeviceMem sum = walk.first();
    if (!walk.mem().inPlace()) {
      walk.put(0, sum);
    }
    for (int rank = 1; rank < walk.ranks(); rank++) {
      DeviceMem result = walk.isOwn(rank) ? walk.ownOutput() : walk.scratch(0);
      walk.combine(result, sum, rank);
      if (!walk.isOwn(rank)) {
        walk.put(rank, result);
      }
      sum = result;
    }
  }
}
