package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * Ring reduce-scatter with blocks of different sizes, including empty ones. It takes the same steps
 * as {@link RingReduceScatter}.
 *
 * <p>The largest block, of m bytes, determines the time. Cost for p ranks: {@code (p-1)(α + mβ +
 * mγ)}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Partial sums pass around the ring: neighbours only; the largest decides the time",
    source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms, JPDC 69(2), 2009",
    formula = "(p-1)(α + mβ + mγ), m the largest block")
public final class RingReduceScatterV extends RingScatter<ReduceScatterVParam> {}
