package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterParam;

/**
 * Ring reduce-scatter: the partial result of every block is passed around the ring to the block's
 * owner. Every rank on the way adds its operand.
 *
 * <p>Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 * workstations", J. Parallel Distrib. Comput. 69(2), 2009. Cost for p ranks and n bytes of input:
 * {@code (p-1)α + (p-1)/p·n(β + γ)}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Partial sums pass around the ring: neighbours only, the fewest bytes",
    source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms, JPDC 69(2), 2009",
    formula = "(p-1)α + (p-1)/p·n(β + γ)")
public final class RingReduceScatter extends RingScatter<ReduceScatterParam> {}
