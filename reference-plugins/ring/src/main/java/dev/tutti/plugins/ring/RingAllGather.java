package dev.tutti.plugins.ring;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * Ring all-gather: in each step, every rank passes one block on to the next rank of the ring.
 *
 * <p>Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
 * operations in MPICH", Int. J. High Perform. Comput. Appl. 19(1), 2005. Cost for p ranks and n
 * bytes of output: {@code (p-1)α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "ring",
    summary = "Every block passes around the ring: neighbours only, the fewest bytes",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "(p-1)α + (p-1)/p·nβ")
public final class RingAllGather extends RingGather<AllGatherParam> {}
