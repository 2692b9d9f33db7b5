package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * Recursive doubling all-gather: in each step, a rank and its partner exchange all blocks that they
 * have. The distances of the partners are 1, 2, 4 and so on.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for n bytes of output
 * and p ranks, a power of two: {@code log2(p)·α + (p-1)/p·nβ}. For other p, some ranks send their
 * block to a partner before the first step, and get the whole output from it after the last.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Pairwise exchanges at doubling distances: the fewest steps; best for 2^k ranks",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·nβ")
public final class DoublingAllGather extends DoublingGather<AllGatherParam> {}
