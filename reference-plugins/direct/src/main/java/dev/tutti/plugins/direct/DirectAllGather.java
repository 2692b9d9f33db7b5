package dev.tutti.plugins.direct;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * Direct all-gather over a full mesh: every block goes straight from its owner to every other rank.
 *
 * <p>Source: HCCL's mesh. Cost for p ranks and n bytes of output, one message after another: {@code
 * (p-1)α + (p-1)/p·nβ}.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Every block straight from its owner to every other rank: one hop, one handshake",
    source = "HCCL mesh",
    formula = "(p-1)α + (p-1)/p·nβ")
public final class DirectAllGather extends DirectGather<AllGatherParam> {}
