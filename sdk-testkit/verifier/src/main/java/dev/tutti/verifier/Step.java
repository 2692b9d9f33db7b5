package dev.tutti.verifier;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;

/**
 * One operation of a sequence over one group.
 *
 * @param executor the algorithm
 * @param param the request as any rank of any group sees it; the group is replaced by the cluster's
 */
public record Step<P extends OpParam>(CollExecutorBase<P> executor, P param) {}
