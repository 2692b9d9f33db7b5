package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * {@link DoublingAllGather} of blocks of different sizes, empty ones too. Each step waits for the
 * larger half, so it costs more than with equal blocks, up to {@code log2(p)(α + nβ)}.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Pairwise exchanges at doubling distances: the fewest steps, whatever the sizes",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·nβ if blocks are alike")
public final class DoublingAllGatherV extends DoublingGather<AllGatherVParam> {}
