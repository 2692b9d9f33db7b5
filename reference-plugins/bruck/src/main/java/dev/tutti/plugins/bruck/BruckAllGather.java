package dev.tutti.plugins.bruck;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * Bruck's all-gather: in each round, the number of blocks that a rank has is multiplied by the
 * radix. With radix 2 it takes the fewest possible steps, for any number of ranks. With a larger
 * radix it takes fewer rounds with more messages each; the messages of a round need not wait for
 * each other. A rank gathers the blocks in scratch memory and then copies them to their places.
 *
 * <p>Source: J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for
 * all-to-all communications in multiport message-passing systems", IEEE Trans. Parallel Distrib.
 * Syst. 8(11), 1997. Cost for p ranks and n bytes of output, with radix 2: {@code ⌈log2(p)⌉α +
 * (p-1)/p·nβ}; with radix k, up to {@code (k-1)⌈logk(p)⌉α}.
 */
@CollAlgorithm(
    name = "bruck",
    summary = "Each round multiplies the blocks of a rank: the fewest steps, any number of ranks",
    source =
        "Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient all-to-all algorithms, TPDS 8(11), 1997",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ with radix 2")
public final class BruckAllGather extends BruckGather<AllGatherParam> {}
