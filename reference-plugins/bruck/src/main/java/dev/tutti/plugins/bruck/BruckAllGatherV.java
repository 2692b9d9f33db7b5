package dev.tutti.plugins.bruck;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * Bruck's all-gather of blocks of different sizes, including empty ones. It takes the same steps as
 * {@link BruckAllGather}. If one block has most of the n bytes, each step takes up to {@code nβ}.
 */
@CollAlgorithm(
    name = "bruck",
    summary = "Each round multiplies the blocks of a rank: the fewest steps, whatever the sizes",
    source =
        "Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient all-to-all algorithms, TPDS 8(11), 1997",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ with radix 2, for equal blocks")
public final class BruckAllGatherV extends BruckGather<AllGatherVParam> {}
