package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * Recursive halving reduce-scatter with blocks of different sizes, including empty ones. It takes
 * the same steps as {@link HalvingReduceScatter}. Each step waits for the larger half, so it costs
 * more than with equal blocks, up to {@code log2(p)(α + nβ + nγ)}.
 */
@CollAlgorithm(
    name = "recursive-halving",
    summary = "Pairwise exchanges of ever smaller halves: few steps, whatever the sizes",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·n(β + γ) for equal blocks")
public final class HalvingReduceScatterV extends HalvingScatter<ReduceScatterVParam> {}
