package dev.tutti.plugins.direct;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * Direct all-gather of blocks of different sizes, including empty ones. It works like {@link
 * DirectAllGather}.
 *
 * <p>The largest block, of m bytes, determines the time. Cost for p ranks: {@code (p-1)(α + mβ)}.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Every block straight from its owner to every other rank: one hop, one handshake",
    source = "HCCL mesh",
    formula = "(p-1)(α + mβ), m the largest block")
public final class DirectAllGatherV extends DirectGather<AllGatherVParam> {}
