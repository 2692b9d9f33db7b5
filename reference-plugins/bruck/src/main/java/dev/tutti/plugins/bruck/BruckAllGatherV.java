package dev.tutti.plugins.bruck;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * {@link BruckAllGather} of blocks of different sizes, empty ones too: the same steps, up to {@code
 * nβ} each if one block has most of the n bytes.
 */
@CollAlgorithm(
    name = "bruck",
    summary = "The blocks of a rank multiply in each step: the fewest steps, whatever the sizes",
    source =
        "Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient all-to-all algorithms, TPDS 8(11), 1997",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ with radix 2, if blocks are alike")
public final class BruckAllGatherV extends BruckGather<AllGatherVParam> {}
