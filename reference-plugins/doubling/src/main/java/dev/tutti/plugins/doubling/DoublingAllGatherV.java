package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * Recursive doubling all-gather of blocks of different sizes, including empty ones. It takes the
 * same steps as {@link DoublingAllGather}. Each step waits for the larger half, so it costs more
 * than with equal blocks, up to {@code log2(p)(α + nβ)}.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Pairwise exchanges at doubling distances: the fewest steps, whatever the sizes",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·nβ for equal blocks")
public final class DoublingAllGatherV extends DoublingGather<AllGatherVParam> {}
