package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * {@link RingAllGather} of blocks of different sizes, empty ones too.
 *
 * <p>The largest block, of m bytes, sets the pace. Cost for p ranks: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Every block travels around the ring: neighbours only; the largest sets the pace",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "(p-1)(α + mβ), m the largest block")
public final class RingAllGatherV extends RingGather<AllGatherVParam> {}
