package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * {@link RingReduceScatter} with blocks of different sizes, empty ones too.
 *
 * <p>The largest block, of m bytes, sets the pace. Cost for p ranks: {@code (p-1)(α + mβ + mγ)}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Partial sums travel around the ring: neighbours only; the largest sets the pace",
    source = "Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms, JPDC 69(2), 2009",
    formula = "(p-1)(α + mβ + mγ), m the largest block")
public final class RingReduceScatterV extends RingScatter<ReduceScatterVParam> {}
