package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * Ring all-gather of blocks of different sizes, including empty ones. It takes the same steps as
 * {@link RingAllGather}.
 *
 * <p>The largest block, of m bytes, determines the time. Cost for p ranks: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Every block passes around the ring: neighbours only; the largest decides the time",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "(p-1)(α + mβ), m the largest block")
public final class RingAllGatherV extends RingGather<AllGatherVParam> {}
