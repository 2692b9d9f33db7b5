package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * {@link HalvingReduceScatter} with blocks of different sizes, empty ones too. Each step waits for
 * the larger half, so it costs more than with equal blocks, up to {@code log2(p)(α + nβ + nγ)}.
 */
@CollAlgorithm(
    name = "recursive-halving",
    summary = "Pairwise exchanges of ever smaller halves: few steps, whatever the sizes",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·n(β + γ) if blocks are alike")
public final class HalvingReduceScatterV extends HalvingScatter<ReduceScatterVParam> {}
