package dev.tutti.plugins.direct;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.ReduceScatterParam;
import java.util.Optional;

/**
 * Direct reduce-scatter over a full mesh: every rank combines its block of all inputs in one pass,
 * in rank order.
 *
 * <p>Source: HCCL's mesh. Cost for p ranks and n bytes of input: {@code α + (p-1)/p·n(β + γ)} over
 * direct links, {@code (p-1)α + (p-1)/p·n(β + γ)} over RDMA links.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Reduces all peers' blocks in one pass: one step, the same bits for any size",
    source = "HCCL mesh",
    formula = "α + (p-1)/p·n(β + γ) over direct links, with (p-1)α over RDMA links")
public final class DirectReduceScatter extends DirectScatter<ReduceScatterParam> {

  @Override
  public Optional<Cost> cost(ReduceScatterParam param) {
    long peers = param.comm().rankSize() - 1L;
    double bytes = peers * param.outputBytes();
    long messages = pulls(param) ? Math.min(1, peers) : peers;
    return Optional.of(new Cost(messages * rounds(param), bytes, bytes));
  }
}
