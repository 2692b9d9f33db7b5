package dev.tutti.plugins.doubling;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterParam;

/**
 * Recursive halving reduce-scatter: in each step, a rank and its partner divide the data that both
 * have into halves. Each rank sends the partner's half, and combines its own half with what it
 * gets. The distances and the messages halve from step to step.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for n bytes of input
 * and p ranks, a power of two: {@code log2(p)·α + (p-1)/p·n(β + γ)}. For other p, some ranks send
 * their whole input to a partner before the first step, and get their block from it after the last.
 */
@CollAlgorithm(
    name = "recursive-halving",
    summary = "Pairwise exchanges of ever smaller halves: few steps and bytes; best for 2^k ranks",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "log2(p)·α + (p-1)/p·n(β + γ)")
public final class HalvingReduceScatter extends HalvingScatter<ReduceScatterParam> {}
